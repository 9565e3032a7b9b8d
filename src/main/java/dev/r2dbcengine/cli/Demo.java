package dev.r2dbcengine.cli;

import dev.r2dbcengine.ReactiveEngineCache;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import reactor.core.publisher.Mono;

/** What the library is for, seen to work: one engine, migrated before anybody has it, and units that leave no halves. */
record Demo(Shell shell, ParseResult flags) {

    private static final String URL = "--url";
    private static final String UNNAMED = "r2dbc:h2:mem:///";

    static OptionSpec url() {
        return OptionSpec.builder(URL)
                .type(String.class)
                .paramLabel("URL")
                .description("the database; unless given, the unnamed in-memory one, " + UNNAMED)
                .build();
    }

    private record Raced(UrlRace.Outcome outcome, int engines) {
        boolean well() {
            return engines == 1 && outcome.rows() == UrlRace.SUBSCRIBERS;
        }
    }

    CommandResult run() {
        String url = flags.matchedOptionValue(URL, UNNAMED);
        try {
            ReactiveEngineCache probe = ReactiveEngineCache.create();
            probe.engine(url).ping().then(probe.close()).block();
            Raced raced = race(url);
            boolean well = new MigratedUnits(url).run(this::print) && raced.well();
            return new CommandResult(
                    well ? CommandResult.DONE : CommandResult.FAILED,
                    Json.object(
                            "engines", raced.engines(), "rows", raced.outcome().rows()),
                    List.of());
        } finally {
            shell.out().flush();
        }
    }

    private Raced race(String url) {
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
            return new Raced(shared, engines);
        } finally {
            Mono.when(naive.close(), cache.close()).block();
        }
    }

    private void print(String name, UrlRace.Outcome outcome, int engines) {
        print("%-20s %,8d %,8d %,18d", name, engines, outcome.rows(), outcome.withoutTable());
    }

    private void print(String line, Object... values) {
        if (!flags.hasMatchedOption(Options.JSON)) {
            shell.out().printf(Locale.ROOT, line + "%n", values);
        }
    }
}
