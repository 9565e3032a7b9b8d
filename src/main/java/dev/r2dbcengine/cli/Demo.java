package dev.r2dbcengine.cli;

import dev.r2dbcengine.ReactiveEngineCache;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import reactor.core.publisher.Mono;

/** Demonstrates the library: one engine for a URL, migrated before its first use, and units of work that are atomic. */
record Demo(Shell shell, ParseResult flags) {

    private static final String URL = "--url";
    private static final String UNNAMED = "r2dbc:h2:mem:///";

    static OptionSpec url() {
        return OptionSpec.builder(URL)
                .type(String.class)
                .paramLabel("URL")
                .description("the database; default: an unnamed in-memory one, " + UNNAMED)
                .build();
    }

    private record Raced(UrlRace.Outcome outcome, int engines) {
        boolean passed() {
            return engines == 1 && outcome.rows() == UrlRace.SUBSCRIBERS;
        }
    }

    CommandResult run() {
        String url = flags.matchedOptionValue(URL, UNNAMED);
        if (Login.isWithPassword(url)) {
            shell.err().println("warning " + Login.VISIBLE_PASSWORD);
        }
        try {
            ReactiveEngineCache probe = ReactiveEngineCache.create();
            probe.engine(url).ping().then(probe.close()).block();
            Raced raced = race(url);
            boolean passed = new MigratedUnits(url).run(this::print) && raced.passed();
            return new CommandResult(
                    passed ? CommandResult.DONE : CommandResult.FAILED,
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
                    "%,d subscribers on %d threads use one URL at once; one creates a table, each inserts a row.%n",
                    UrlRace.SUBSCRIBERS, UrlRace.THREADS);
            print("%-20s %8s %8s %18s", "", "engines", "rows", "table not found");
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
