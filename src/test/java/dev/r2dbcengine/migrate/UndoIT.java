package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.internal.plan.History;
import dev.r2dbcengine.migrate.internal.run.CallbackPhase;
import dev.r2dbcengine.testing.EachServer;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions that are taken back; free Flyway judges the history that is left. */
class UndoIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ReactiveEngineCache engines = ReactiveEngineCache.create();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private MigrationTree files;

    @BeforeEach
    @SuppressWarnings("NullAway.Init")
    void threeVersions() throws IOException {
        files = new MigrationTree(directory);
        for (int i = 1; i <= 3; i++) {
            files.write("V" + i + "__t" + i + ".sql", "create table t" + i + "(a int);");
            files.write("U" + i + "__t" + i + ".sql", "drop table t" + i + ";");
        }
        files.write("R__v.sql", "create or replace view v as select 1 as a;");
    }

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    /** A database that all three were applied to. */
    private final class Migrated implements AutoCloseable {
        private final Server server;
        private final TestDatabase database;
        private final FlywayDatabase jdbc;
        private final MigrationRunner runner;

        Migrated(Server server) throws SQLException {
            this.server = server;
            database = TestDatabase.fresh(server).keepAlive();
            jdbc = new FlywayDatabase(server, database);
            runner = MigrationRunner.on(engines.engine(database.url())).locations("filesystem:" + directory);
            assertThat(Objects.requireNonNull(runner.migrate().block(LONG)).applied())
                    .hasSize(4);
        }

        List<String> undo(String target, UnaryOperator<MigrationRunner> settings) {
            MigrationReport report =
                    Objects.requireNonNull(settings.apply(runner).undo(target).block(LONG));
            return report.applied().stream()
                    .map(done -> done.migration().script())
                    .toList();
        }

        List<String> undo(String target) {
            return undo(target, UnaryOperator.identity());
        }

        List<String> scripts() throws SQLException {
            return jdbc.historyWithoutTimes().stream()
                    .filter(History::isMigration)
                    .map(row -> row.script() + (row.success() ? "" : " failed"))
                    .toList();
        }

        boolean has(String table) {
            return catchThrowable(() -> jdbc.execute("select a from " + table)) == null;
        }

        /** Reads it, finds nothing wrong, and applies what is pending. */
        int migratedByFlyway() {
            Flyway flyway = FlywayDatabase.given(Flyway.configure(), server, database)
                    .ignoreMigrationPatterns("*:pending")
                    .locations("filesystem:" + directory)
                    .load();
            assertThat(flyway.validateWithResult().getAllErrorMessages()).isEmpty();
            return flyway.migrate().migrationsExecuted;
        }

        @Override
        public void close() throws SQLException {
            engines.engine(database.url()).close().block(LONG);
            jdbc.close();
            database.close();
        }
    }

    @ParameterizedTest
    @EachServer
    void newestVersionIsUndoneFirst(Server server) throws SQLException {
        try (Migrated migrated = new Migrated(server)) {
            assertThat(migrated.undo("1")).containsExactly("U3__t3.sql", "U2__t2.sql");
            assertThat(migrated.scripts()).containsExactly("V1__t1.sql", "R__v.sql");
            assertThat(migrated.has("t1")).isTrue();
            assertThat(migrated.has("t2") || migrated.has("t3")).isFalse();
            assertThat(migrated.undo("1")).isEmpty();
            assertThat(migrated.migratedByFlyway()).isEqualTo(2);
            assertThat(migrated.undo("0?")).containsExactly("U3__t3.sql", "U2__t2.sql", "U1__t1.sql");
            assertThat(Objects.requireNonNull(migrated.runner.migrate().block(LONG))
                            .applied())
                    .hasSize(3);
            assertThat(migrated.migratedByFlyway()).isZero();
        }
    }

    /** Newest are those that were applied last. */
    @ParameterizedTest
    @EachServer
    void outOfOrderVersionsAreUndoneInReverseOrderOfApplication(Server server) throws Exception {
        files.write("V2.5__late.sql", "create table late(a int);").write("U2.5__late.sql", "drop table late;");
        Files.move(directory.resolve("V2.5__late.sql"), directory.resolve("V2.5__late.off"));
        try (Migrated migrated = new Migrated(server)) {
            Files.move(directory.resolve("V2.5__late.off"), directory.resolve("V2.5__late.sql"));
            MigrationRunner outOfOrder = migrated.runner.outOfOrder(true);
            assertThat(Objects.requireNonNull(outOfOrder.migrate().block(LONG)).applied())
                    .hasSize(1);
            assertThat(migrated.undo("2", runner -> runner.outOfOrder(true)))
                    .containsExactly("U2.5__late.sql", "U3__t3.sql");
        }
    }

    @ParameterizedTest
    @EachServer
    void historyAfterCherryPickAndRepairIsValidForFlyway(Server server) throws Exception {
        try (Migrated migrated = new Migrated(server)) {
            migrated.undo("1");
            MigrationRunner picking = migrated.runner.cherryPick("3");
            assertThat(Objects.requireNonNull(picking.migrate().block(LONG)).applied())
                    .extracting(done -> done.migration().script())
                    .containsExactly("V3__t3.sql");
            Files.delete(directory.resolve("V2__t2.sql"));
            assertThat(migrated.migratedByFlyway()).isZero();
            Files.delete(directory.resolve("V1__t1.sql"));
            RepairReport repaired =
                    Objects.requireNonNull(migrated.runner.repair().block(LONG));
            assertThat(repaired.deleted()).hasSize(1);
            assertThat(migrated.migratedByFlyway()).isZero();
        }
    }

    @ParameterizedTest
    @EachServer
    void failedUndoMatchesTheHistory(Server server) throws Exception {
        files.write("U2__t2.sql", "drop table t2;\ninsert into nowhere values (1);");
        try (Migrated migrated = new Migrated(server)) {
            MigrationException failure = catchThrowableOfType(MigrationException.class, () -> migrated.undo("1"));
            assertThat(failure)
                    .hasMessageContainingAll("U2__t2.sql, line 2: the undo of version 2 failed")
                    .hasMessageEndingWith(" Migrations undone before it: 1.");
            assertThat(failure.applied()).hasSize(1);
            assertThat(migrated.has("t3")).isFalse();
            if (server == Server.POSTGRESQL) {
                assertThat(failure).hasMessageContaining("rolled back");
                assertThat(migrated.scripts()).containsExactly("V1__t1.sql", "V2__t2.sql", "R__v.sql");
                assertThat(migrated.has("t2")).isTrue();
            } else {
                assertThat(failure).hasMessageContainingAll("has the version as failed", "repair()");
                assertThat(migrated.scripts()).containsExactly("V1__t1.sql", "V2__t2.sql failed", "R__v.sql");
                assertThat(catchThrowable(() -> migrated.undo("1")))
                        .isInstanceOf(InvalidMigrationException.class)
                        .hasMessageContainingAll("Version 2 has failed", "repair()");
                migrated.runner.repair().block(LONG);
            }
            files.write("U2__t2.sql", "drop table t2;");
            assertThat(migrated.undo("1")).hasSize(server == Server.POSTGRESQL ? 1 : 0);
            assertThat(migrated.scripts()).containsExactly("V1__t1.sql", "R__v.sql");
            assertThat(migrated.migratedByFlyway()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EachServer
    void invalidUndoChangesNothing(Server server) throws Exception {
        Files.delete(directory.resolve("U2__t2.sql"));
        try (Migrated migrated = new Migrated(server)) {
            List<AppliedMigration> before = migrated.jdbc.history();
            assertRefused(migrated, "1", "no undo script for the version 2", "U2__….sql");
            assertRefused(migrated, "2.5", "Version 2.5 is not applied", "2.5?");
            assertRefused(migrated, "latest", "says no version");
            assertThat(migrated.jdbc.history()).isEqualTo(before);
            assertThat(migrated.has("t3")).isTrue();
            assertThat(migrated.undo("2.5?")).containsExactly("U3__t3.sql");
        }
    }

    private static void assertRefused(Migrated migrated, String target, String... words) {
        assertThat(catchThrowable(() -> migrated.undo(target)))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EachServer
    void undoOnEmptyDatabaseCreatesNothing(Server server) throws Exception {
        try (TestDatabase database = TestDatabase.fresh(server).keepAlive();
                FlywayDatabase jdbc = new FlywayDatabase(server, database)) {
            MigrationRunner runner =
                    MigrationRunner.on(engines.engine(database.url())).locations("filesystem:" + directory);
            assertThat(catchThrowable(() -> runner.undo("1").block(LONG)))
                    .isInstanceOf(InvalidMigrationException.class)
                    .hasMessageContaining("There is no history");
            assertThat(jdbc.hasHistory()).isFalse();
            runner.baselineVersion("2").baseline().block(LONG);
            assertThat(catchThrowable(() -> runner.undo("1?").block(LONG)))
                    .isInstanceOf(InvalidMigrationException.class)
                    .hasMessageContaining("begins with a baseline of version 2");
            engines.engine(database.url()).close().block(LONG);
        }
    }

    /** As a group, and under the lock of one transaction, all of them stay when one fails. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void groupedUndoIsAtomic(boolean group) throws Exception {
        files.write("U2__t2.sql", "drop table nowhere;");
        UnaryOperator<MigrationRunner> together =
                runner -> group ? runner.group(true) : runner.lock(LockScope.TRANSACTION);
        try (Migrated migrated = new Migrated(Server.POSTGRESQL)) {
            MigrationException failure =
                    catchThrowableOfType(MigrationException.class, () -> migrated.undo("1", together));
            assertThat(failure).hasMessageContainingAll("the undo of version 2 failed", "rolled back");
            assertThat(failure.applied()).isEmpty();
            assertThat(migrated.scripts()).hasSize(4);
            assertThat(migrated.has("t3")).isTrue();
            files.write("U2__t2.sql", "drop table t2;");
            assertThat(migrated.undo("1", together)).hasSize(2);
            assertThat(migrated.migratedByFlyway()).isEqualTo(2);
        }
    }

    @Test
    void failingCallbackReportsHowManyStayUndone() throws Exception {
        files.write("afterUndo.sql", "insert into nowhere values (1);");
        try (Migrated migrated = new Migrated(Server.H2)) {
            MigrationException failure = catchThrowableOfType(MigrationException.class, () -> migrated.undo("1"));
            assertThat(failure)
                    .hasMessageContainingAll(
                            "the callback afterUndo failed", "undone before it, which stay undone: 2.");
            assertThat(failure.applied()).hasSize(2);
        }
    }

    @Test
    void callbacksSurroundEachUndo() throws Exception {
        for (CallbackPhase phase : List.of(CallbackPhase.UNDO, CallbackPhase.EACH_UNDO)) {
            for (CallbackEvent event : List.of(phase.before(), phase.after(), phase.error())) {
                files.write(event.id() + ".sql", "insert into event(what) values ('" + event.id() + "');");
            }
        }
        files.write("beforeMigrate.sql", "create table if not exists event(id serial, what text);");
        try (Migrated migrated = new Migrated(Server.POSTGRESQL)) {
            migrated.undo("1");
            assertThat(events(migrated))
                    .containsExactly(
                            "beforeUndo",
                            "beforeEachUndo",
                            "afterEachUndo",
                            "beforeEachUndo",
                            "afterEachUndo",
                            "afterUndo");
            files.write("U1__t1.sql", "drop table nowhere;");
            assertThat(catchThrowable(() -> migrated.undo("0?"))).isInstanceOf(MigrationException.class);
            assertThat(events(migrated)).containsExactly("beforeUndo", "afterEachUndoError", "afterUndoError");
        }
    }

    private static List<String> events(Migrated migrated) {
        return Objects.requireNonNull(migrated.database
                .query(
                        "with gone as (delete from event returning id, what) select what from gone order by id",
                        String.class)
                .block(LONG));
    }
}
