package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.migrate.ScriptBenchmark;
import java.nio.file.Path;
import java.util.ArrayList;

/** A set of benchmarks that runs in its own process. */
enum Suite {
    CACHE_HIT("Cache hit", run -> {
        new Forks(run, CacheHitBenchmark.class, "idle").run(1);
        new Forks(run, CacheHitBenchmark.class, "idle").run(2);
    }),
    OPENING("Opening", run -> {
        new Forks(run, EngineOpenBenchmark.class, "idle").run(1);
        new Forks(run, TenantBenchmark.class, "idle").run(1);
        new Forks(run, EngineOpenBenchmark.class, "h2:mem").run(1);
    }),
    STATEMENTS(Suite.STATEMENT, forks(StatementBenchmark.class)),
    UNITS(Suite.UNIT, forks(UnitBenchmark.class)),
    STATEMENTS_POSTGRESQL(Suite.STATEMENT, turns(StatementBenchmark.class, "postgresql", ".*")),
    UNITS_POSTGRESQL(Suite.UNIT, turns(UnitBenchmark.class, "postgresql", ".*")),
    STATEMENTS_H2(Suite.STATEMENT, turns(StatementBenchmark.class, "h2", ".*")),
    UNITS_H2(Suite.UNIT, turns(UnitBenchmark.class, "h2", ".*")),
    STATEMENTS_MARIADB(Suite.STATEMENT, turns(StatementBenchmark.class, "mariadb", "one row|batch.*")),
    STATEMENTS_FAR_POSTGRESQL(Suite.STATEMENT, turns(StatementBenchmark.class, "far postgresql", "batch.*")),
    STATEMENTS_FAR_MARIADB(Suite.STATEMENT, turns(StatementBenchmark.class, "far mariadb", "batch.*")),
    UNITS_MARIADB(Suite.UNIT, turns(UnitBenchmark.class, "mariadb", "unit of one insert")),
    UNITS_FAR_POSTGRESQL(Suite.UNIT, turns(UnitBenchmark.class, "far postgresql", "unit of one insert")),
    UNITS_FAR_MARIADB(Suite.UNIT, turns(UnitBenchmark.class, "far mariadb", "unit of one insert")),
    MIGRATIONS("Migrations", run -> {
        for (MigrationServer server : MigrationServer.all()) {
            new Migrations(run, server).measure();
        }
    }),
    PROCESSES("Whole processes", run -> new Processes(run).run(MigrationServer.PostgreSql.start())),
    SCRIPTS("Scripts", run -> new Forks(run, ScriptBenchmark.class, "postgresql").run(1));

    private static final String STATEMENT = "Statements";
    private static final String UNIT = "Units of work";

    private final String section;

    private final Measuring measuring;

    Suite(String section, Measuring measuring) {
        this.section = section;
        this.measuring = measuring;
    }

    private interface Measuring {
        void of(Run run) throws Exception;
    }

    /* With drivers that answer at once. */
    private static Measuring forks(Class<?> benchmark) {
        return run -> {
            new Forks(run, benchmark, "instant").run(1);
            new Forks(run, benchmark, "pool").run(1);
        };
    }

    private static Measuring turns(Class<?> benchmark, String database, String works) {
        return run -> new DatabaseTurns(run, benchmark, database).run(works);
    }

    /** Runs one suite. Arguments: the suite, the effort, the result file. */
    public static void main(String... args) {
        Suite suite = valueOf(args[0]);
        Run run = new Run(suite.section, Effort.valueOf(args[1]), new Results(Path.of(args[2])), new ArrayList<>());
        try {
            suite.measuring.of(run);
        } catch (Exception e) {
            e.printStackTrace();
            run.failed().add("the rest");
        }
        run.failed().forEach(work -> System.out.println("FAILED in " + suite + ": " + work));
        System.exit(run.failed().isEmpty() ? 0 : 1);
    }
}
