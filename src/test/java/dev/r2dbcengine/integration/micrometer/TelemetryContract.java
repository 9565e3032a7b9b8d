package dev.r2dbcengine.integration.micrometer;

import static dev.r2dbcengine.integration.micrometer.RecordedObservations.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationException;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** The observations of units and migrations on a real database. */
abstract class TelemetryContract {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final TestDatabase database;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final RecordedObservations observations = new RecordedObservations();
    private final EngineTelemetry telemetry = EngineTelemetry.on(meters, observations.registry());
    private final ReactiveEngineCache engines =
            ReactiveEngineCache.builder().listeners(telemetry).build();
    private final Engine engine;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path scripts;

    TelemetryContract(Server server) {
        database = TestDatabase.fresh(server).keepAlive();
        engine = engines.engine(database.url());
    }

    @AfterEach
    void close() {
        engines.close().block(LONG);
        database.close();
        observations.awaitAllEnded();
        assertThat(meters.getMeters()).isEmpty();
    }

    private MigrationRunner migrations() {
        return MigrationRunner.on(engine).locations("filesystem:" + scripts).listener(telemetry);
    }

    private void script(String name, String sql) throws IOException {
        Files.writeString(scripts.resolve(name), sql);
    }

    @Test
    void migrationIsChildOfCallerWithOutcome() throws IOException {
        script("V1__t.sql", "create table t (id int primary key);");
        script("V2__bad.sql", "insert into t values (1); insert into nowhere values ('secret');");
        Observation caller = Observation.start("start of the application", observations.registry());

        StepVerifier.create(migrations()
                        .migrate()
                        .contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, caller)))
                .verifyError(MigrationException.class);
        caller.stop();

        assertThat(observations.named("r2dbc.migration"))
                .extracting(
                        migration -> value(migration, "script"),
                        migration -> value(migration, "type"),
                        migration -> value(migration, "outcome"),
                        RecordedObservations::parent)
                .containsExactly(
                        tuple("V1__t.sql", "sql", "applied", nameOf(caller)),
                        tuple("V2__bad.sql", "sql", "failed", nameOf(caller)));
        assertThat(observations.everything()).doesNotContain("secret").doesNotContain("insert");
    }

    private static String nameOf(Observation caller) {
        return String.valueOf(caller.getContextView().getName());
    }

    @Test
    void cancelledMigrationIsStopped() throws IOException {
        script("V1__t.sql", "create table t (id int primary key);");
        script("V2__u.sql", "create table u (id int primary key);");
        Disposable.Swap subscriber = Disposables.swap();
        observations.whenStarted("r2dbc.migration", subscriber::dispose);

        subscriber.update(
                migrations().migrate().subscribeOn(Schedulers.boundedElastic()).subscribe());
        observations.awaitEnd("r2dbc.migration");
        observations.awaitAllEnded();

        assertThat(observations.named("r2dbc.migration")).hasSize(1);
    }

    @Test
    void cancelledUnitsAreRecordedOnce() throws IOException {
        script("V1__t.sql", "create table t (id int);");
        migrations().migrate().block(LONG);
        observations.forget();

        int units = 64;
        try (Race race = new Race(8)) {
            for (int round = 0; round < units / 8; round++) {
                race.run(i -> Mono.firstWithSignal(
                        unit(), Mono.delay(Duration.ofNanos(i * 400_000L)).thenReturn(0L)));
            }
        }
        observations.awaitAllEnded();
        long committed = observations.named("r2dbc.unit").stream()
                .filter(unit -> value(unit, "outcome").equals("committed"))
                .count();
        StepVerifier.create(database.query("select count(*) from t", Long.class))
                .assertNext(rows -> assertThat(rows).containsExactly(2 * committed))
                .verifyComplete();
    }

    private Mono<Long> unit() {
        return engine.unitOfWork()
                .execute(work -> Flux.concat(
                                work.sql("insert into t values (1)").update(),
                                work.sql("insert into t values (2)").update())
                        .count());
    }
}
