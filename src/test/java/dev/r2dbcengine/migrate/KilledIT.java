package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.testing.TripWire;
import dev.r2dbcengine.testing.TripWire.Moment;
import dev.r2dbcengine.testing.TripWire.Point;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed in the middle of fifty migrations, and started again. */
class KilledIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long SEED = Long.getLong("seed", 20261128);

    private final ReactiveEngineCache engines = ReactiveEngineCache.create();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    /**
     * Named points first, then any moment.
     *
     * @param messages about as many as a run of fifty sends
     */
    private static List<Point> points(int rounds, int messages, List<Point> named) {
        List<Point> points = new ArrayList<>(named);
        Random random = new Random(SEED);
        while (points.size() < rounds) {
            points.add(
                    new Point("", 1 + random.nextInt(messages), random.nextBoolean() ? Moment.SENT : Moment.ANSWERED));
        }
        return points;
    }

    /** The killed script is rolled back, or applied and recorded: nothing has to be repaired. */
    @Test
    void killedRunOnPostgreSqlContinues() throws IOException {
        List<Point> points = points(
                Proof.rounds(5, 100),
                260,
                List.of(
                        new Point("pg_try_advisory_lock", 1, Moment.ANSWERED),
                        new Point(FiftyScripts.ran(25), 1, Moment.SENT),
                        new Point(FiftyScripts.name(25), 1, Moment.SENT),
                        new Point("COMMIT", 25, Moment.SENT),
                        new Point("COMMIT", 25, Moment.ANSWERED)));
        int killed = 0;
        for (Point point : points) {
            try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
                FiftyScripts scripts = FiftyScripts.in(directory);
                killed += killAt(point, database) ? 1 : 0;
                runner(database).migrate().block(LONG);
                scripts.assertComplete(database.url());
                engines.engine(database.url()).close().block(LONG);
            }
        }
        Proof.figure("PostgreSQL: killed " + killed + " of " + points.size() + ", never a manual step");
        assertThat(killed).isGreaterThanOrEqualTo(points.size() * 9 / 10);
    }

    /** A script that cannot be rolled back stops the next run, which names it; after a repair the run continues. */
    @Test
    void killedRunOnMariaDbContinuesOrNamesTheFailedScript() throws IOException {
        List<Point> points = points(
                Proof.rounds(5, 50),
                350,
                List.of(
                        new Point("get_lock(", 1, Moment.ANSWERED),
                        new Point(FiftyScripts.ran(25), 1, Moment.SENT),
                        new Point("flyway_schema_history` set `success`", 25, Moment.SENT),
                        new Point("flyway_schema_history` set `success`", 25, Moment.ANSWERED),
                        new Point("create table t25", 1, Moment.ANSWERED)));
        int killed = 0;
        int repaired = 0;
        for (Point point : points) {
            try (TestDatabase database = TestDatabase.fresh(Server.MARIADB)) {
                FiftyScripts scripts = FiftyScripts.in(directory);
                killed += killAt(point, database) ? 1 : 0;
                repaired += goesOnAfterRepair(database, scripts) ? 1 : 0;
                scripts.assertComplete(database.url());
                engines.engine(database.url()).close().block(LONG);
            }
        }
        Proof.figure("MariaDB: killed " + killed + " of " + points.size() + ", repaired " + repaired);
        assertThat(killed).isGreaterThanOrEqualTo(points.size() * 9 / 10);
        assertThat(repaired).isPositive();
    }

    private boolean goesOnAfterRepair(TestDatabase database, FiftyScripts scripts) throws IOException {
        MigrationRunner runner = runner(database);
        Throwable stopped = catchThrowable(() -> runner.migrate().block(LONG));
        if (stopped == null) {
            return false;
        }
        assertThat(stopped)
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageContainingAll("has failed half-way", "repair");
        List<AppliedMigration> removed =
                Objects.requireNonNull(runner.repair().block(LONG)).removed();
        assertThat(removed).hasSize(1);
        assertThat(stopped).hasMessageContaining(removed.get(0).script());
        scripts.correct(removed.get(0).script());
        runner.migrate().block(LONG);
        return true;
    }

    private MigrationRunner runner(TestDatabase database) {
        return MigrationRunner.on(engines.engine(database.url())).locations("filesystem:" + directory);
    }

    /** Whether it got that far. */
    private boolean killAt(Point point, TestDatabase database) throws IOException {
        AtomicReference<PodProcess> victim = new AtomicReference<>();
        try (TripWire wire = new TripWire(database, point, () -> {
                    Objects.requireNonNull(victim.get()).kill();
                    return false;
                });
                PodProcess pod = PodProcess.start(wire.url(), directory)) {
            victim.set(pod);
            String outcome = pod.ready().go().outcome();
            assertThat(outcome).as(pod.toString()).isEqualTo(wire.isDone() ? "gone" : "done");
            assertThat(wire.isDone() || point.text().isEmpty())
                    .as(point.toString())
                    .isTrue();
            return wire.isDone();
        }
    }
}
