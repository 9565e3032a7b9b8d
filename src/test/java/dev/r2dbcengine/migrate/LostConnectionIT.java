package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.testing.TripWire;
import dev.r2dbcengine.testing.TripWire.Moment;
import dev.r2dbcengine.testing.TripWire.Point;
import io.r2dbc.spi.R2dbcException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** A connection that is lost during a run: the error reports the state that the next run finds. */
class LostConnectionIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String UNDONE = "The history does not have it, and what it did was rolled back";
    private static final String DONE = "The history has it as applied";
    private static final String FAILED = "the history has it as failed";
    private static final String IDLE = "while no migration ran";
    /** Among the values of the row: its text is sent only once. */
    private static final String ROW = "V2__b.sql";

    private static final String SUCCESS = "flyway_schema_history` set `success`";

    private final ReactiveEngineCache engines = ReactiveEngineCache.create();
    private LockScope lock = LockScope.SESSION;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    @Test
    void connectionLostDuringScriptRollsItBack() throws IOException {
        assertTold(
                Server.POSTGRESQL,
                "select pg_sleep(60)",
                new Point("select pg_sleep(60)", 1, Moment.SENT),
                LostConnectionIT::endedOnceItRuns,
                UNDONE);
        assertTold(
                Server.MARIADB,
                "select sleep(60)",
                new Point("select sleep(60)", 1, Moment.SENT),
                LostConnectionIT::endedOnceItRuns,
                FAILED);
    }

    @Test
    void connectionLostBetweenScriptAndHistoryRowIsReported() throws IOException {
        assertTold(Server.POSTGRESQL, new Point(ROW, 1, Moment.SENT), LostConnectionIT::ended, UNDONE);
        assertTold(Server.MARIADB, new Point(SUCCESS, 2, Moment.SENT), LostConnectionIT::ended, FAILED);
    }

    @Test
    void connectionLostBeforeTheCommitIsReported() throws IOException {
        assertTold(Server.POSTGRESQL, new Point("COMMIT", 3, Moment.SENT), LostConnectionIT::ended, UNDONE);
        assertTold(
                Server.MARIADB,
                "insert into t values (2)",
                new Point("COMMIT", 2, Moment.SENT),
                LostConnectionIT::ended,
                FAILED);
    }

    /** The driver's error says nothing of it: only a look shows that all is well. */
    @Test
    void connectionLostAfterTheCommitIsReportedAsApplied() throws IOException {
        assertTold(Server.POSTGRESQL, new Point("COMMIT", 3, Moment.ANSWERED), database -> false, DONE);
        assertTold(Server.MARIADB, new Point(SUCCESS, 2, Moment.ANSWERED), database -> false, DONE);
    }

    /** There the transaction of the lock is that of the migration. */
    @Test
    void connectionLostAtTheCommitOfTheLockIsReported() throws IOException {
        lock = LockScope.TRANSACTION;
        assertTold(Server.POSTGRESQL, new Point("COMMIT", 3, Moment.SENT), LostConnectionIT::ended, UNDONE);
        assertTold(Server.POSTGRESQL, new Point("COMMIT", 3, Moment.ANSWERED), database -> false, DONE);
    }

    @Test
    void connectionLostWhileLockingIsReported() throws IOException {
        assertTold(Server.POSTGRESQL, new Point("pg_try_advisory_lock", 1, Moment.SENT), LostConnectionIT::ended, IDLE);
        assertTold(Server.MARIADB, new Point("get_lock(", 1, Moment.SENT), LostConnectionIT::ended, IDLE);
    }

    /** By an administrator, all of them. */
    private static boolean ended(TestDatabase database) {
        database.endSessions().block(LONG);
        return true;
    }

    private static boolean endedOnceItRuns(TestDatabase database) {
        String running = database.url().startsWith("r2dbc:postgresql:")
                ? "select count(*) from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'"
                : "select count(*) from information_schema.processlist where info like 'select sleep%'";
        database.query(running, Long.class)
                .filter(counts -> counts.get(0) > 0)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(20)))
                .publishOn(Schedulers.boundedElastic())
                .subscribe(counts -> ended(database));
        return true;
    }

    private void assertTold(Server server, Point point, Predicate<TestDatabase> end, String told) throws IOException {
        assertTold(server, "create table u(a int);\ninsert into t values (2)", point, end, told);
    }

    private void assertTold(Server server, String script, Point point, Predicate<TestDatabase> end, String told)
            throws IOException {
        MigrationTree scripts = new MigrationTree(directory);
        scripts.write("V1__a.sql", "create table t(a int);\ninsert into t values (1);");
        scripts.write("V2__b.sql", script);
        try (TestDatabase database = TestDatabase.fresh(server);
                TripWire wire = new TripWire(database, point, () -> end.test(database))) {
            MigrationRunner runner = MigrationRunner.on(engines.engine(wire.url()))
                    .locations("filesystem:" + directory)
                    .lock(lock);
            MigrationException failure = catchThrowableOfType(
                    MigrationException.class, () -> runner.migrate().block(LONG));
            assertThat(failure).hasMessageContaining(told).hasCauseInstanceOf(R2dbcException.class);
            assertThat(failure.getMessage()).doesNotContain("holds the lock");
            if (!told.equals(DONE)) {
                scripts.write("V2__b.sql", "create table u(a int);\ninsert into t values (2);");
            }
            assertGoesOn(database, runner, told);
            engines.engine(wire.url()).close().block(LONG);
        }
    }

    private static void assertGoesOn(TestDatabase database, MigrationRunner runner, String told) {
        if (told.equals(FAILED)) {
            StepVerifier.create(runner.migrate()).verifyError(InvalidMigrationException.class);
            database.execute("drop table if exists u", "delete from t where a = 2")
                    .block(LONG);
            runner.repair().block(LONG);
        }
        StepVerifier.create(runner.migrate().map(report -> report.applied().size()))
                .expectNext(told.equals(DONE) ? 0 : told.equals(IDLE) ? 2 : 1)
                .verifyComplete();
        StepVerifier.create(database.query("select a from t order by a", Integer.class))
                .expectNext(List.of(1, 2))
                .verifyComplete();
    }
}
