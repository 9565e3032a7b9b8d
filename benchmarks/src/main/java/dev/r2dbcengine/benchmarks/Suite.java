package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.migrate.ScriptBenchmark;
import java.nio.file.Path;
import java.util.ArrayList;
import org.openjdk.jmh.runner.RunnerException;

/** What can be measured by itself, in a process of its own. */
enum Suite {
    CACHE_HIT("Cache hit") {
        @Override
        void run(Run run) throws RunnerException {
            new Forks(run, CacheHitBenchmark.class, "idle").run(1);
            new Forks(run, CacheHitBenchmark.class, "idle").run(2);
        }
    },
    OPENING("Opening") {
        @Override
        void run(Run run) throws RunnerException {
            new Forks(run, EngineOpenBenchmark.class, "idle").run(1);
            new Forks(run, TenantBenchmark.class, "idle").run(1);
            new Forks(run, EngineOpenBenchmark.class, "h2:mem").run(1);
        }
    },
    STATEMENTS(Suite.STATEMENT) {
        @Override
        void run(Run run) throws RunnerException {
            new Forks(run, StatementBenchmark.class, "instant").run(1);
            new Forks(run, StatementBenchmark.class, "pool").run(1);
        }
    },
    UNITS(Suite.UNIT) {
        @Override
        void run(Run run) throws RunnerException {
            new Forks(run, UnitBenchmark.class, "instant").run(1);
            new Forks(run, UnitBenchmark.class, "pool").run(1);
        }
    },
    STATEMENTS_POSTGRESQL(Suite.STATEMENT) {
        @Override
        void run(Run run) throws Exception {
            new DatabaseTurns(run, StatementBenchmark.class, "postgresql").run(".*");
        }
    },
    UNITS_POSTGRESQL(Suite.UNIT) {
        @Override
        void run(Run run) throws Exception {
            new DatabaseTurns(run, UnitBenchmark.class, "postgresql").run(".*");
        }
    },
    STATEMENTS_H2(Suite.STATEMENT) {
        @Override
        void run(Run run) throws Exception {
            new DatabaseTurns(run, StatementBenchmark.class, "h2").run(".*");
        }
    },
    UNITS_H2(Suite.UNIT) {
        @Override
        void run(Run run) throws Exception {
            new DatabaseTurns(run, UnitBenchmark.class, "h2").run(".*");
        }
    },
    STATEMENTS_MARIADB(Suite.STATEMENT) {
        @Override
        void run(Run run) throws Exception {
            new DatabaseTurns(run, StatementBenchmark.class, "mariadb").run("one row|batch.*");
        }
    },
    UNITS_MARIADB(Suite.UNIT) {
        @Override
        void run(Run run) throws Exception {
            new DatabaseTurns(run, UnitBenchmark.class, "mariadb").run("unit of one insert");
        }
    },
    MIGRATIONS("Migrations") {
        @Override
        void run(Run run) throws Exception {
            for (MigrationServer server : MigrationServer.all()) {
                new Migrations(run, server).measure();
            }
        }
    },
    PROCESSES("Whole processes") {
        @Override
        void run(Run run) throws Exception {
            new Processes(run).run(MigrationServer.PostgreSql.start());
        }
    },
    SCRIPTS("Scripts") {
        @Override
        void run(Run run) throws RunnerException {
            new Forks(run, ScriptBenchmark.class, "postgresql").run(1);
        }
    };

    private static final String STATEMENT = "Statements";
    private static final String UNIT = "Units of work";

    private final String section;

    Suite(String section) {
        this.section = section;
    }

    abstract void run(Run run) throws Exception;

    /** Arguments: the suite, the effort, the result file. */
    public static void main(String... args) {
        Suite suite = valueOf(args[0]);
        Run run = new Run(suite.section, Effort.valueOf(args[1]), new Results(Path.of(args[2])), new ArrayList<>());
        try {
            suite.run(run);
        } catch (Exception e) {
            e.printStackTrace();
            run.failed().add("the rest");
        }
        run.failed().forEach(work -> System.out.println("FAILED in " + suite + ": " + work));
        System.exit(run.failed().isEmpty() ? 0 : 1);
    }
}
