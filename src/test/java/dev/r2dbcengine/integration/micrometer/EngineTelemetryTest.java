package dev.r2dbcengine.integration.micrometer;

import static dev.r2dbcengine.integration.micrometer.RecordedObservations.parent;
import static dev.r2dbcengine.integration.micrometer.RecordedObservations.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.work.Propagation;
import dev.r2dbcengine.work.RetryPolicy;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcDataIntegrityViolationException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

class EngineTelemetryTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String URL = "r2dbc:fake://ada:secret@host/db?maxSize=1";
    private static final String NAME = "r2dbc:fake://ada@host/db";

    private final FakeDriver driver = new FakeDriver("PostgreSQL");
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final RecordedObservations observations = new RecordedObservations();
    private final ReactiveEngineCache engines = cache(EngineTelemetry.on(meters, observations.registry()));
    private final Engine engine = engines.engine(URL);

    private ReactiveEngineCache cache(EngineTelemetry telemetry) {
        return ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .listeners(telemetry)
                .build();
    }

    @BeforeEach
    void open() {
        engine.dialect().block(LONG);
        observations.forget();
    }

    private Connection borrow() {
        return Objects.requireNonNull(engine.unitOfWork().source().borrow().block(LONG));
    }

    private double gauge(String name) {
        Gauge gauge = meters.find("r2dbc.pool." + name).tag("name", NAME).gauge();
        return gauge == null ? -1 : gauge.value();
    }

    private List<Double> gauges() {
        return List.of(gauge("acquired"), gauge("idle"), gauge("pending"), gauge("allocated"), gauge("max.allocated"));
    }

    @Test
    void openPoolHasGauges() {
        assertThat(gauges()).containsExactly(0d, 1d, 0d, 1d, 1d);

        Connection borrowed = borrow();
        Disposable waiting = engine.sql("select 1").update().subscribe();
        assertThat(gauges()).containsExactly(1d, 0d, 1d, 1d, 1d);

        waiting.dispose();
        Mono.from(borrowed.close()).block(LONG);
        assertThat(gauges()).containsExactly(0d, 1d, 0d, 1d, 1d);

        engines.close().block(LONG);
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void gaugesSumOldAndReopenedEngine() {
        FakeGate closing = driver.on(Call.CLOSE).times(1).waits();
        Disposable close = engine.close().subscribe();
        engine.open().block(LONG);
        assertThat(gauge("max.allocated")).isEqualTo(2);

        closing.release();
        assertThat(close.isDisposed()).isTrue();
        assertThat(gauge("max.allocated")).isEqualTo(1);
    }

    @Test
    void failedOpeningLeavesNoGauges() {
        driver.on(Call.CREATE).fails(new R2dbcNonTransientResourceException("down"));
        engine.close().block(LONG);

        StepVerifier.create(engine.open()).verifyError(EngineOpenException.class);

        assertThat(meters.getMeters()).isEmpty();
        assertThat(observations.ended()).containsExactly("r2dbc.pool.acquire failed");
        observations.assertAllEnded();
    }

    @Test
    void unitIsParentOfItsObservationsAndChildOfCaller() {
        Observation caller = Observation.start("caller", observations.registry());
        driver.answer("select n from t", FakeRow.of("n", 7), FakeRow.of("n", 8));

        StepVerifier.create(engine.unitOfWork()
                        .name("order")
                        .execute(work -> work.sql("select n from t")
                                .map(Integer.class)
                                .all()
                                .then(Mono.deferContextual(this::nameOfCurrent)))
                        .contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, caller)))
                .expectNext("r2dbc.unit")
                .verifyComplete();
        caller.stop();

        assertThat(observations.ended())
                .containsExactly(
                        "r2dbc.pool.acquire acquired", "r2dbc.statement finished", "r2dbc.unit committed", "caller ");
        Observation.Context acquire = observations.named("r2dbc.pool.acquire").get(0);
        Observation.Context statement = observations.named("r2dbc.statement").get(0);
        Observation.Context unit = observations.named("r2dbc.unit").get(0);
        assertThat(List.of(parent(acquire), parent(statement), parent(unit)))
                .containsExactly("r2dbc.unit", "r2dbc.unit", "caller");
        assertThat(value(acquire, "name")).isEqualTo(NAME);
        assertThat(unit.getContextualName()).isEqualTo("order");
        assertThat(List.of(value(unit, "unit"), value(unit, "attempt"), value(unit, "error.type")))
                .containsExactly("order", "1", "none");
        assertThat(List.of(value(statement, "db.system.name"), value(statement, "db.operation.name")))
                .containsExactly("postgresql", "SELECT");
        assertThat(value(statement, "rows")).isEqualTo("2");
        assertThat(value(statement, "db.query.text")).isEmpty();
        observations.assertAllEnded();
    }

    private Mono<String> nameOfCurrent(ContextView context) {
        Observation current = context.get(ObservationThreadLocalAccessor.KEY);
        return Mono.just(String.valueOf(current.getContextView().getName()));
    }

    @Test
    void requiresNewUnitIsChildOfOuterUnit() {
        Engine wide = engines.engine("r2dbc:fake://host/wide");
        StepVerifier.create(wide.unitOfWork()
                        .name("outer")
                        .execute(work -> work.sql("a")
                                .update()
                                .then(wide.unitOfWork()
                                        .name("inner")
                                        .propagation(Propagation.REQUIRES_NEW)
                                        .alwaysRollback()
                                        .execute(inner -> inner.sql("b").update()))))
                .expectNext(1L)
                .verifyComplete();

        Observation.Context inner = observations.named("r2dbc.unit").get(0);
        Observation.Context outer = observations.named("r2dbc.unit").get(1);
        assertThat(List.of(value(inner, "unit"), value(inner, "outcome"), parent(inner)))
                .containsExactly("inner", "rolled_back", "r2dbc.unit");
        assertThat(List.of(value(outer, "unit"), value(outer, "outcome"), parent(outer)))
                .containsExactly("outer", "committed", "");
        observations.assertAllEnded();
    }

    @Test
    void unitWithoutStatementHasOutcomeNone() {
        StepVerifier.create(engine.unitOfWork().execute(work -> Mono.just("done")))
                .expectNext("done")
                .verifyComplete();

        assertThat(observations.ended()).containsExactly("r2dbc.unit none");
        observations.assertAllEnded();
    }

    @Test
    void eachAttemptOfUnitIsObservation() {
        driver.on(Call.EXECUTE, "a"::equals).times(1).fails(new R2dbcRollbackException("retry", "40001", 0));

        StepVerifier.create(engine.unitOfWork()
                        .retry(RetryPolicy.times(2))
                        .execute(work -> work.sql("a").update()))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(observations.named("r2dbc.unit").stream()
                        .map(unit -> value(unit, "attempt") + " " + value(unit, "outcome") + " "
                                + value(unit, "error.type")))
                .containsExactly("1 rolled_back R2dbcRollbackException", "2 committed none");
        observations.assertAllEnded();
    }

    @Test
    void valuesAreNotRecordedAndSqlOnlyOnRequest() {
        driver.on(Call.EXECUTE)
                .times(1)
                .fails(new R2dbcDataIntegrityViolationException("Key (name)=(Ada) exists", "23505", 0));

        StepVerifier.create(engine.sql("insert into t values (:name)")
                        .bind("name", "Ada")
                        .update())
                .verifyError(R2dbcDataIntegrityViolationException.class);

        Observation.Context failed = observations.named("r2dbc.statement").get(0);
        assertThat(value(failed, "error.type")).isEqualTo("R2dbcDataIntegrityViolationException");
        assertThat(failed.getError()).hasMessageContaining("23505");
        assertThat(observations.everything())
                .doesNotContain("Ada")
                .doesNotContain("insert into")
                .doesNotContain("secret");

        StepVerifier.create(cache(EngineTelemetry.on(new SimpleMeterRegistry(), observations.registry())
                                .withSql())
                        .engine(URL)
                        .sql("insert into t values (:name)")
                        .bind("name", "Ada")
                        .update())
                .expectNext(1L)
                .verifyComplete();

        assertThat(observations.everything())
                .contains("insert into t values (:name)")
                .doesNotContain("Ada");
        observations.assertAllEnded();
    }

    @Test
    void cancelledAndTimedOutAcquisitionsAreRecorded() {
        Connection held = borrow();
        observations.forget();

        engine.unitOfWork().execute(work -> work.sql("a").update()).subscribe().dispose();
        StepVerifier.withVirtualTime(() -> engine.sql("a").update())
                .thenAwait(Duration.ofSeconds(30))
                .verifyError(R2dbcTimeoutException.class);
        Mono.from(held.close()).block(LONG);

        assertThat(observations.ended())
                .containsExactly("r2dbc.pool.acquire cancelled", "r2dbc.unit none", "r2dbc.pool.acquire failed");
        observations.assertAllEnded();
    }

    @ParameterizedTest
    @EnumSource(names = {"BEGIN", "EXECUTE", "ROWS", "COMMIT"})
    void cancellationStopsEachObservationOnce(Call call) {
        driver.answer("select n from t", FakeRow.of("n", 7));
        FakeGate gate = driver.on(call).times(1).waits();
        Disposable subscriber = engine.unitOfWork()
                .execute(work ->
                        work.sql("select n from t").map(Integer.class).all().then())
                .subscribe();

        subscriber.dispose();
        gate.release();

        assertThat(observations.named("r2dbc.unit"))
                .singleElement()
                .satisfies(unit -> assertThat(value(unit, "outcome"))
                        .isEqualTo(call == Call.COMMIT ? "committed" : "rolled_back"));
        observations.assertAllEnded();
    }

    @Test
    void lostCommitResponseIsInDoubt() {
        driver.on(Call.COMMIT).fails(new R2dbcNonTransientResourceException("reset"));

        StepVerifier.create(engine.unitOfWork().execute(work -> work.sql("a").update()))
                .verifyError(R2dbcNonTransientResourceException.class);

        assertThat(observations.ended()).contains("r2dbc.unit in_doubt");
        observations.assertAllEnded();
    }

    @Test
    void closeDuringUnitStopsAllObservations() {
        FakeGate gate = driver.on(Call.EXECUTE).times(1).waits();
        StepVerifier.create(engine.unitOfWork().execute(work -> work.sql("a").update()))
                .expectSubscription()
                .then(() -> engines.close().subscribe())
                .then(gate::release)
                .expectNext(1L)
                .verifyComplete();

        observations.assertAllEnded();
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void randomlyCancelledUnitsStopAllObservations() {
        for (Call call : List.of(Call.CREATE, Call.BEGIN, Call.EXECUTE, Call.ROWS, Call.COMMIT, Call.ROLLBACK)) {
            driver.on(call).answersOn(Schedulers.parallel());
        }
        Engine shared = engines.engine("r2dbc:fake://host/shared?maxSize=4");
        int units = 500;
        try (Race race = new Race(8)) {
            for (int round = 0; round < units / 8; round++) {
                race.run(i -> Mono.firstWithSignal(
                                shared.unitOfWork()
                                        .execute(work -> work.sql("a")
                                                .update()
                                                .then(work.sql("b").update())),
                                Mono.delay(Duration.ofNanos(i * 20_000L)).thenReturn(0L))
                        .onErrorReturn(-1L));
            }
        }

        engines.close().block(LONG);
        observations.awaitAllEnded();
        assertThat(observations.named("r2dbc.unit")).hasSizeGreaterThan(units / 8);
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void observationsAreTimersWithoutRegistry() {
        MeterRegistry only = new SimpleMeterRegistry();
        StepVerifier.create(cache(EngineTelemetry.on(only))
                        .engine(URL)
                        .unitOfWork()
                        .execute(work -> work.sql("delete from t").update()))
                .expectNext(1L)
                .verifyComplete();

        assertThat(count(only, "r2dbc.pool.acquire", "outcome", "acquired")).isEqualTo(2);
        assertThat(count(only, "r2dbc.unit", "outcome", "committed")).isEqualTo(1);
        assertThat(count(only, "r2dbc.statement", "db.operation.name", "DELETE"))
                .isEqualTo(1);
        assertThat(only.get("r2dbc.pool.idle").gauge().value()).isEqualTo(1);
    }

    private static long count(MeterRegistry registry, String name, String key, String value) {
        Timer timer = registry.get(name).tag(key, value).timer();
        return timer.count();
    }

    @Test
    void registryWithoutHandlersRecordsNothing() {
        EngineTelemetry silent = EngineTelemetry.on(new SimpleMeterRegistry(), ObservationRegistry.create());

        assertThat(silent.borrowing(NAME, Context.empty())).isNull();
        StepVerifier.create(cache(silent)
                        .engine(URL)
                        .unitOfWork()
                        .execute(work -> work.sql("a")
                                .update()
                                .then(Mono.deferContextual(
                                        context -> Mono.just(context.hasKey(ObservationThreadLocalAccessor.KEY))))))
                .expectNext(false)
                .verifyComplete();
    }

    @ParameterizedTest
    @CsvSource({
        "select 1,SELECT",
        "' (select 1) union (select 2)',SELECT",
        "with a as (select 1) select * from a,WITH",
        "Ada,other",
        "-- Ada,other",
        "'',other"
    })
    void operationIsKnownKeyword(String sql, String operation) {
        assertThat(Operation.of(sql)).isEqualTo(operation);
    }
}
