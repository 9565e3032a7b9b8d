package dev.r2dbcengine.cli;

import dev.r2dbcengine.ReactiveEngineCache;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Mono;

/** What the library is for, seen to work: one engine, migrated before anybody has it, and units that leave no halves. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Many subscribers race for one URL: through a check-then-act map, then through the cache.",
            "Then the cache migrates an engine before its first use, and many units of work use it."
        })
final class DemoCommand implements Callable<Integer> {
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
        try {
            ReactiveEngineCache probe = ReactiveEngineCache.create();
            probe.engine(url).ping().then(probe.close()).block();
            boolean one = race();
            return new MigratedUnits(url).run(this::print) && one ? 0 : 1;
        } finally {
            out().flush();
        }
    }

    private boolean race() {
        UrlRace race = new UrlRace(url);
        NaiveEngines naive = new NaiveEngines();
        ReactiveEngineCache cache = ReactiveEngineCache.create();
        try {
            print(
                    "%,d subscribers on %d threads race for one URL; one makes a table, each inserts a row.%n",
                    UrlRace.SUBSCRIBERS, UrlRace.THREADS);
            print("%-20s %8s %8s %18s", "", "engines", "rows", "found no table");
            print("check-then-act map", race.through(naive::pool), naive.made());
            UrlRace.Outcome shared = race.through(cache::pool);
            int engines = cache.engines().size();
            print("ReactiveEngineCache", shared, engines);
            return engines == 1 && shared.rows() == UrlRace.SUBSCRIBERS;
        } finally {
            Mono.when(naive.close(), cache.close()).block();
        }
    }

    private void print(String name, UrlRace.Outcome outcome, int engines) {
        print("%-20s %,8d %,8d %,18d", name, engines, outcome.rows(), outcome.withoutTable());
    }

    private void print(String line, Object... values) {
        out().printf(Locale.ROOT, line + "%n", values);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
