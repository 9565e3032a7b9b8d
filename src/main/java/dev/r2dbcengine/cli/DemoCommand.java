package dev.r2dbcengine.cli;

import dev.r2dbcengine.ReactiveEngineCache;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.Result;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Shows the fault that the cache exists to end, and its end: many subscribers race for one URL; one of them makes a
 * table; each inserts a row through the engine that it was given.
 */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "Many subscribers race for one URL: through a check-then-act map, then through the cache.")
final class DemoCommand implements Callable<Integer> {
    private static final int SUBSCRIBERS = 1000;
    private static final int THREADS = 32;
    private static final String TABLE = "r2dbc_engine_demo";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The database; unless given, the unnamed in-memory one: ${DEFAULT-VALUE}")
    private String url = "r2dbc:h2:mem:///";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        NaiveEngines naive = new NaiveEngines();
        ReactiveEngineCache cache = ReactiveEngineCache.create();
        try {
            ReactiveEngineCache probe = ReactiveEngineCache.create();
            probe.engine(url).ping().then(probe.close()).block();
            out.printf(
                    Locale.ROOT,
                    "%,d subscribers on %d threads race for one URL; one makes a table, each inserts a row.%n%n",
                    SUBSCRIBERS,
                    THREADS);
            out.printf(Locale.ROOT, "%-20s %8s %8s %18s%n", "", "engines", "rows", "found no table");
            print(out, "check-then-act map", race(naive::pool), naive.made());
            Outcome shared = race(cache::pool);
            int engines = cache.engines().size();
            print(out, "ReactiveEngineCache", shared, engines);
            return engines == 1 && shared.rows == SUBSCRIBERS ? 0 : 1;
        } finally {
            out.flush();
            Mono.when(naive.close(), cache.close()).block();
        }
    }

    private record Outcome(long rows, long withoutTable) {}

    private static void print(PrintWriter out, String name, Outcome outcome, int engines) {
        out.printf(Locale.ROOT, "%-20s %,8d %,8d %,18d%n", name, engines, outcome.rows, outcome.withoutTable);
    }

    private Outcome race(Function<String, Mono<ConnectionPool>> engines) {
        Scheduler threads = Schedulers.newBoundedElastic(THREADS, SUBSCRIBERS, "demo");
        try {
            List<ConnectionPool> resolved = Flux.range(0, SUBSCRIBERS)
                    .flatMap(i -> Mono.defer(() -> engines.apply(url)).subscribeOn(threads), SUBSCRIBERS)
                    .collectList()
                    .block();
            return outcome(Objects.requireNonNull(resolved));
        } finally {
            threads.dispose();
        }
    }

    private static Outcome outcome(List<ConnectionPool> resolved) {
        ConnectionPool one = resolved.get(0);
        Mono<Long> withoutTable = Flux.fromIterable(resolved)
                .flatMap(pool -> run(pool, "insert into " + TABLE + " values (1)")
                        .thenReturn(0L)
                        .onErrorReturn(R2dbcBadGrammarException.class, 1L))
                .reduce(0L, Long::sum);
        return Objects.requireNonNull(run(one, "create table " + TABLE + " (id int)")
                .then(withoutTable)
                .flatMap(failed -> count(one).map(rows -> new Outcome(rows, failed)))
                .delayUntil(outcome -> run(one, "drop table " + TABLE))
                .block());
    }

    private static Mono<Long> run(ConnectionPool pool, String sql) {
        return use(pool, sql, result -> Mono.from(result.getRowsUpdated()));
    }

    private static Mono<Long> count(ConnectionPool pool) {
        return use(
                pool,
                "select count(*) from " + TABLE,
                result -> Mono.from(result.map(row -> ((Number) Objects.requireNonNull(row.get(0))).longValue())));
    }

    private static Mono<Long> use(ConnectionPool pool, String sql, Function<Result, Mono<Long>> read) {
        return Mono.usingWhen(
                pool.create(),
                connection -> Flux.from(connection.createStatement(sql).execute())
                        .concatMap(read)
                        .reduce(0L, Long::sum),
                Connection::close);
    }
}
