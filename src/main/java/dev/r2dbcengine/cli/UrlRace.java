package dev.r2dbcengine.cli;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.Result;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Many subscribers resolve one URL at once; one creates a table in its database, and each inserts a row. */
record UrlRace(String url) {
    static final int SUBSCRIBERS = 1000;
    static final int THREADS = 32;
    private static final String TABLE = "r2dbc_engine_demo";

    /** The rows that the first subscriber sees, and the number of subscribers without a table. */
    record Outcome(long rows, long withoutTable) {}

    /** Runs the race with the given cache, blocking the caller. */
    Outcome through(Function<String, Mono<ConnectionPool>> engines) {
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
        ConnectionPool first = resolved.get(0);
        Mono<Long> withoutTable = Flux.fromIterable(resolved)
                .flatMap(pool -> run(pool, "insert into " + TABLE + " values (1)")
                        .thenReturn(0L)
                        .onErrorReturn(R2dbcBadGrammarException.class, 1L))
                .reduce(0L, Long::sum);
        return Objects.requireNonNull(run(first, "create table " + TABLE + " (id int)")
                .then(withoutTable)
                .flatMap(failed -> count(first).map(rows -> new Outcome(rows, failed)))
                .delayUntil(outcome -> run(first, "drop table " + TABLE))
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
