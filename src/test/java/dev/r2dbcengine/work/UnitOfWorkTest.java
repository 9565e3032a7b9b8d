package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.testing.BrokenListener;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.CapturedLogs;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** Units of work on a driver that answers immediately: calls sent, requests rejected, events reported. */
class UnitOfWorkTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Map<String, FakeDriver> drivers = new ConcurrentHashMap<>();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .connectionFactory(options -> driver(String.valueOf(options.getValue(ConnectionFactoryOptions.DATABASE))))
            .build();
    private final Engine engine = engines.engine("r2dbc:fake://host/db?maxSize=1");
    private final FakeDriver driver = driver("db");

    private FakeDriver driver(String database) {
        return drivers.computeIfAbsent(database, name -> new FakeDriver());
    }

    @BeforeEach
    void open() {
        engine.dialect().block(LONG);
        driver.clear();
    }

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    private List<String> calls() {
        return driver.calls(Call.CREATE, Call.VALIDATE, Call.CLOSE);
    }

    @Test
    void workHasNameAndStableConnectionFactory() {
        Mono<Integer> unit = engine.unitOfWork().name("order").execute(work -> {
            assertThat(work).hasToString("order");
            assertThat(work.connectionFactory())
                    .isEqualTo(work.connectionFactory())
                    .hasSameHashCodeAs(work.connectionFactory())
                    .isNotEqualTo(engine.connectionFactory());
            return Mono.just(1);
        });

        StepVerifier.create(unit).expectNext(1).expectComplete().verify(LONG);
    }

    @Test
    void plainUnitSendsOnlyTransactionAndStatements() {
        StepVerifier.create(engine.unitOfWork().execute(work -> work.sql("a").update()))
                .expectNext(1L)
                .verifyComplete();

        assertThat(calls()).containsExactly("1 begin", "1 execute a", "1 commit");
    }

    @Test
    void rollbackOnlyInOnBeginRollsBackTheUnit() {
        UnitOfWork marked = engine.unitOfWork()
                .onBegin(work -> work.sql("set up").update().doOnNext(rows -> work.setRollbackOnly()));

        StepVerifier.create(marked.execute(work -> work.sql("a").update()))
                .expectNext(1L)
                .verifyComplete();

        assertThat(calls()).containsExactly("1 begin", "1 execute set up", "1 execute a", "1 rollback");
    }

    @Test
    void isolationSupportedByDriverIsSentWithBegin() {
        UnitOfWork serializable = engine.unitOfWork().isolation(IsolationLevel.SERIALIZABLE);

        StepVerifier.create(serializable.execute(work -> work.sql("a").update()))
                .expectNext(1L)
                .verifyComplete();

        assertThat(calls()).containsExactly("1 begin isolationLevel=SERIALIZABLE", "1 execute a", "1 commit");
    }

    @Test
    void immediateStatementsDoNotRecurse() {
        driver.withoutRecording();

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> Flux.range(0, 100_000)
                                .flatMap(i -> work.sql("a").update(), 100_000)
                                .count()))
                .expectNext(100_000L)
                .verifyComplete();
        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> Flux.range(0, 20_000)
                                .flatMap(
                                        i -> work.savepoint(
                                                inner -> inner.sql("a").update()),
                                        20_000)
                                .count()))
                .expectNext(20_000L)
                .verifyComplete();
    }

    @Test
    void afterCommitHooksDoNotRecurse() {
        AtomicInteger completed = new AtomicInteger();

        StepVerifier.create(engine.unitOfWork().execute(work -> {
                    for (int i = 0; i < 50_000; i++) {
                        work.afterCommit(Mono.fromRunnable(completed::incrementAndGet));
                    }
                    return work.sql("a").update();
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(completed).hasValue(50_000);
    }

    /** A publisher that throws from {@code subscribe} leaves downstream operators waiting. */
    @Test
    void missingTenantFailsUnitInsteadOfThrowing() {
        Engine tenants = engines.engine("fake", context -> "r2dbc:fake://host/" + context.get("tenant"));
        UnitOfWork units = tenants.unitOfWork();

        for (UnitOfWork unit : List.of(units, units.retry(RetryPolicy.times(2)))) {
            StepVerifier.create(engine.sql("a")
                            .update()
                            .then(unit.execute(work -> work.sql("b").update())))
                    .expectError(NoSuchElementException.class)
                    .verify(LONG);
            StepVerifier.create(engine.unitOfWork()
                            .execute(work ->
                                    work.sql("a").update().then(tenants.sql("b").update())))
                    .expectError(NoSuchElementException.class)
                    .verify(LONG);
        }
    }

    @Test
    void savepointThatNeverBeganDoesNotHideOpenOne() {
        FakeGate gate = driver.on(Call.EXECUTE, "a"::equals).times(1).waits();

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> Mono.zip(
                                        work.savepoint(inner -> inner.sql("a")
                                                .update()
                                                .then(work.sql("lost")
                                                        .update()
                                                        .contextWrite(context -> Context.empty()))),
                                        work.savepoint(inner -> Mono.just(1)))
                                .thenReturn(1L)))
                .expectSubscription()
                .then(gate::release)
                .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("A savepoint of"))
                .verify(LONG);
    }

    @Test
    void rowsBeforeFailureReachBufferedStream() {
        driver.answer("rows", 10, i -> FakeRow.of("n", i));
        driver.on(Call.ROWS, "rows"::equals).afterRows(5).fails(new IllegalStateException("broken"));

        StepVerifier.create(
                        engine.unitOfWork().stream(work -> Flux.merge(
                                work.sql("rows").map(Integer.class).all(),
                                work.sql("behind").update().thenMany(Flux.empty()))),
                        0)
                .thenRequest(2)
                .expectNext(0, 1)
                .thenRequest(10)
                .expectNext(2, 3, 4)
                .verifyErrorMessage("broken");
    }

    @Test
    void rowBufferHoldsConfiguredNumberOfRows() {
        driver.answer("rows", 10, i -> FakeRow.of("n", i));
        Function<Work, Flux<Integer>> buffered = work -> Flux.merge(
                2,
                work.sql("rows").map(Integer.class).all(),
                work.sql("behind").update().thenMany(Flux.empty()));

        StepVerifier.create(engine.unitOfWork().rowBuffer(6).stream(buffered), 2)
                .expectNext(0, 1)
                .thenRequest(20)
                .expectNextCount(8)
                .verifyComplete();
        assertThat(calls()).endsWith("1 execute rows", "1 execute behind", "1 commit");

        driver.clear();
        List<Object> discarded = new ArrayList<>();
        StepVerifier.create(
                        engine.unitOfWork().rowBuffer(5).stream(buffered).doOnDiscard(Integer.class, discarded::add), 2)
                .expectNext(0, 1)
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOfSatisfying(
                                RowBufferException.class,
                                full -> assertThat(full.bound()).isEqualTo(5)))
                .verify(LONG);
        assertThat(discarded).containsExactlyInAnyOrder(2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(calls()).endsWith("1 rollback");
    }

    @Test
    void unitKeepsTenantOfItsBegin() {
        Engine tenants = engines.engine("fake", context -> "r2dbc:fake://host/" + context.get("tenant"));
        Mono<Long> ofAda = tenants.unitOfWork()
                .execute(work -> tenants.sql("mine")
                        .update()
                        .then(work.sql("mine, too").update().contextWrite(Context.of("tenant", "grace")))
                        .then(tenants.sql("hers").update().contextWrite(context -> context.put("tenant", "grace"))))
                .contextWrite(Context.of("tenant", "ada"));

        StepVerifier.create(ofAda).expectNext(1L).expectComplete().verify(LONG);

        assertThat(driver("ada").calls(Call.CREATE, Call.VALIDATE))
                .containsExactly("1 begin", "1 execute mine", "1 execute mine, too", "1 commit");
        assertThat(driver("grace").calls(Call.CREATE, Call.VALIDATE)).containsExactly("1 execute hers");
    }

    @Test
    void factoryMetadataNamesDatabaseWithoutOpeningIt() {
        Engine tenants = engines.engine("postgresql", context -> "r2dbc:postgresql://nowhere/db");

        assertThat(engines.engine("r2dbc:mariadb://nowhere/db")
                        .connectionFactory()
                        .getMetadata()
                        .getName())
                .isEqualTo("MariaDB");
        assertThat(tenants.connectionFactory().getMetadata().getName()).isEqualTo("PostgreSQL");
        assertThat(engine.connectionFactory().getMetadata().getName()).isEqualTo("fake");
    }

    @Test
    void factoryConnectionOutsideUnitIsPooledAndReleasedOnce() {
        Connection connection = Mono.from(engine.connectionFactory().create())
                .blockOptional(LONG)
                .orElseThrow();

        Flux.just(
                        connection.beginTransaction(),
                        connection.createSavepoint("s"),
                        connection.releaseSavepoint("s"),
                        connection.createSavepoint("s"),
                        connection.rollbackTransactionToSavepoint("s"),
                        connection.commitTransaction(),
                        connection.beginTransaction(new Definition(Map.of())),
                        connection.rollbackTransaction(),
                        connection.setAutoCommit(true),
                        connection.setTransactionIsolationLevel(IsolationLevel.SERIALIZABLE),
                        connection.setLockWaitTimeout(LONG),
                        connection.setStatementTimeout(LONG),
                        connection.close(),
                        connection.close())
                .concatMap(call -> call)
                .blockLast(LONG);

        assertThat(calls())
                .containsExactly(
                        "1 begin",
                        "1 savepoint s",
                        "1 release savepoint s",
                        "1 savepoint s",
                        "1 rollback to savepoint s",
                        "1 commit",
                        "1 begin",
                        "1 rollback",
                        "1 set autocommit true",
                        "1 set isolation SERIALIZABLE",
                        "1 set lock wait timeout PT30S",
                        "1 set statement timeout PT30S",
                        "1 set isolation READ COMMITTED");
        assertThat(engines.engines().get(0).connections().borrowed()).isZero();
        assertThat(engines.engines().get(0).connections().idle()).isZero();
    }

    private record Definition(Map<?, ?> attributes) implements TransactionDefinition {
        @Override
        @SuppressWarnings("unchecked")
        public <T> @org.jspecify.annotations.Nullable T getAttribute(io.r2dbc.spi.Option<T> option) {
            return (T) attributes.get(option);
        }
    }

    @Test
    void guardedConnectionPassesHarmlessCallsOn() {
        StepVerifier.create(engine.unitOfWork()
                        .name("mine")
                        .execute(work -> work.connection().flatMap(connection -> {
                            assertThat(connection)
                                    .hasToString("Connection of mine")
                                    .isInstanceOf(Wrapped.class);
                            assertThat(connection.isAutoCommit()).isFalse();
                            assertThat(connection.getTransactionIsolationLevel())
                                    .isEqualTo(IsolationLevel.READ_COMMITTED);
                            assertThat(connection.getMetadata()).isNotNull();
                            return Flux.concat(
                                            connection.createSavepoint("s"),
                                            connection.rollbackTransactionToSavepoint("s"),
                                            connection.createSavepoint("s"),
                                            connection.releaseSavepoint("s"),
                                            connection.setAutoCommit(false),
                                            Flux.from(connection
                                                            .createBatch()
                                                            .add("x")
                                                            .add("y")
                                                            .execute())
                                                    .concatMap(result -> result.getRowsUpdated())
                                                    .then(),
                                            Mono.from(connection.validate(ValidationDepth.LOCAL))
                                                    .then(),
                                            connection.beginTransaction(new Definition(Map.of())),
                                            connection.commitTransaction())
                                    .then(Mono.just("done"));
                        })))
                .expectNext("done")
                .verifyComplete();

        assertThat(calls())
                .contains("1 batch x; y", "1 savepoint r2dbc_engine_1", "1 release savepoint r2dbc_engine_1");
    }

    @Test
    void isolationAfterBeginIsRejected() {
        Definition serializable =
                new Definition(Map.of(TransactionDefinition.ISOLATION_LEVEL, IsolationLevel.SERIALIZABLE));

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> work.connection()
                                .flatMap(connection -> Mono.from(connection.beginTransaction(serializable)))))
                .expectErrorSatisfies(e ->
                        assertThat(e).isInstanceOf(WorkException.class).hasMessageContaining("UnitOfWork.isolation"))
                .verify(LONG);
    }

    @Test
    void requestsToEndedUnitAreRejected() {
        AtomicReference<Work> nested = new AtomicReference<>();
        Work kept = engine.unitOfWork()
                .execute(work -> work.savepoint(inner -> {
                            nested.set(inner);
                            return inner.sql("a").update();
                        })
                        .doOnNext(done -> assertThatRequestsAreRejected(Objects.requireNonNull(nested.get())))
                        .thenReturn(work))
                .blockOptional(LONG)
                .orElseThrow();

        assertThatRequestsAreRejected(kept);
    }

    private static void assertThatRequestsAreRejected(Work ended) {
        Stream.<ThrowingCallable>of(
                        ended::setRollbackOnly,
                        () -> ended.beforeCommit(Mono.empty()),
                        () -> ended.afterCommit(Mono.empty()),
                        () -> ended.afterRollback(Mono.empty()))
                .forEach(request -> assertThatThrownBy(request).isInstanceOf(WorkEndedException.class));
    }

    @Test
    void hookAddedByAfterCommitHookIsRejected() {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        StepVerifier.create(engine.unitOfWork().execute(work -> {
                    work.afterCommit(
                            Mono.fromRunnable(() -> refusal.set(catchThrowable(() -> work.afterCommit(Mono.empty())))));
                    return work.sql("a").update();
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(refusal.get()).isInstanceOf(WorkEndedException.class);
    }

    @Test
    void rollbackOnGuardedConnectionAfterEndIsRejected() {
        Connection kept = engine.unitOfWork()
                .execute(Work::connection)
                .blockOptional(LONG)
                .orElseThrow();

        StepVerifier.create(kept.rollbackTransaction()).verifyError(WorkEndedException.class);
    }

    @Test
    void guardedConnectionIsClosedWithUnit() {
        Connection kept = engine.unitOfWork()
                .execute(Work::connection)
                .blockOptional(LONG)
                .orElseThrow();

        StepVerifier.create(kept.beginTransaction()).verifyError(WorkEndedException.class);
        StepVerifier.create(Mono.fromCallable(() -> kept.createStatement("late")))
                .verifyError(WorkEndedException.class);
        assertThat(calls()).containsExactly("1 begin", "1 commit");
    }

    @Test
    void failedRawStatementIsReportedAndRollsBack() {
        driver.on(Call.EXECUTE, "bad"::equals).fails(new IllegalStateException("broken"));

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> work.connection()
                                .flatMap(connection -> Flux.from(connection
                                                .createStatement("bad")
                                                .execute())
                                        .concatMap(result -> result.getRowsUpdated())
                                        .then())))
                .expectErrorMessage("broken")
                .verify(LONG);

        assertThat(calls()).containsExactly("1 begin", "1 execute bad", "1 rollback");
    }

    @Test
    void onlyTransientFailuresAreRetriedAndLastOneIsReported() {
        AtomicInteger runs = new AtomicInteger();
        UnitOfWork patient = engine.unitOfWork().retry(RetryPolicy.times(2).pauses(Duration.ZERO, Duration.ZERO));

        StepVerifier.create(patient.execute(
                        work -> Mono.error(() -> new R2dbcRollbackException("run " + runs.incrementAndGet(), "40001"))))
                .expectErrorSatisfies(e -> assertThat(e)
                        .hasMessage("run 3")
                        .satisfies(last -> assertThat(last.getSuppressed())
                                .extracting(Throwable::getMessage)
                                .containsExactly("run 1", "run 2")))
                .verify(LONG);
        StepVerifier.create(patient.execute(work -> Mono.error(new IllegalStateException("no use"))))
                .verifyErrorMessage("no use");
    }

    @Test
    void streamIsRetriedBeforeFirstRowOnly() {
        AtomicInteger runs = new AtomicInteger();
        R2dbcRollbackException met = new R2dbcRollbackException("met", "40001");
        UnitOfWork patient = engine.unitOfWork().retry(RetryPolicy.times(5).pauses(Duration.ZERO, Duration.ZERO));

        StepVerifier.create(patient.stream(work -> runs.incrementAndGet() == 1
                        ? Flux.error(met)
                        : Flux.just("row").concatWith(Mono.error(met))))
                .expectNext("row")
                .expectErrorMatches(met::equals)
                .verify(LONG);

        assertThat(runs).hasValue(2);
    }

    @Test
    void defaultListenerWarnsWithoutDriverMessages() {
        try (CapturedLogs logs = CapturedLogs.of(WorkListener.class)) {
            driver.on(Call.COMMIT).times(1).fails(new R2dbcNonTransientResourceException("secret", "08006"));
            driver.on(Call.ROLLBACK).times(1).fails(new R2dbcNonTransientResourceException("secret", "08006"));
            Mono<Long> unit = engine.unitOfWork().name("transfer").execute(work -> {
                work.afterCommit(Mono.error(new IllegalStateException("secret")));
                return work.sql("a").update();
            });

            StepVerifier.create(unit).verifyError(R2dbcNonTransientResourceException.class);
            StepVerifier.create(unit).expectNext(1L).verifyComplete();

            assertThat(logs.lines())
                    .anyMatch(line -> line.contains("not known whether transfer was committed")
                            && line.contains("SQLSTATE 08006"))
                    .anyMatch(line -> line.contains("connection of transfer is discarded"))
                    .anyMatch(line -> line.contains("action after the end of transfer failed"))
                    .noneMatch(line -> line.contains("secret"));
        }
    }

    @Test
    void defaultListenerNamesCallOfDroppedFailure() {
        FakeGate gate = driver.on(Call.EXECUTE)
                .times(1)
                .fails(new IllegalStateException("secret"))
                .waits();
        try (CapturedLogs logs = CapturedLogs.of(WorkListener.class)) {
            Disposable subscriber = engine.unitOfWork()
                    .name("transfer")
                    .execute(work -> work.sql("a").update())
                    .subscribe();
            subscriber.dispose();
            gate.release();

            assertThat(logs.lines())
                    .anyMatch(line ->
                            line.contains("In transfer, the statement whose subscriber had cancelled failed: "));
        }
    }

    @Test
    void throwingListenerDoesNotAffectUnit() {
        Engine observed = ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .listener(new WorkListener() {
                    @Override
                    public void began(WorkExecution unit) {
                        throw new IllegalStateException(
                                unit + " " + unit.context().isEmpty());
                    }
                })
                .build()
                .engine("r2dbc:fake://host/observed");

        StepVerifier.create(observed.unitOfWork().execute(work -> work.sql("a").update()))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    @SuppressWarnings("NullAway") // a misuse by the body
    void bodyReturningNullIsReported() {
        StepVerifier.create(engine.unitOfWork().execute(work -> null))
                .verifyErrorMessage("the body of a unit returned null");
        StepVerifier.create(
                        engine.unitOfWork().execute(work -> engine.unitOfWork().execute(inner -> null)))
                .verifyErrorMessage("the body of a unit returned null");
        StepVerifier.create(engine.unitOfWork()
                        .propagation(Propagation.REQUIRES_NEW)
                        .execute(work -> null))
                .verifyErrorMessage("the body of a unit returned null");
    }

    @Test
    void throwingRollbackPredicateRollsBack() {
        AssertionError thrown = new AssertionError("thrown");

        StepVerifier.create(engine.unitOfWork()
                        .rollbackOn(e -> {
                            throw thrown;
                        })
                        .execute(work -> work.sql("a").update().then(Mono.error(new IllegalArgumentException("body")))))
                .expectErrorSatisfies(e -> assertThat(e).hasMessage("body").hasSuppressedException(thrown))
                .verify(LONG);

        assertThat(calls()).containsExactly("1 begin", "1 execute a", "1 rollback");
    }

    @Test
    void timeoutsBeyondTimerRangeNeverExpire() {
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
        driver.on(Call.COMMIT).answersOn(Schedulers.parallel());

        StepVerifier.create(engine.unitOfWork()
                        .timeout(forEver)
                        .cleanupTimeout(forEver)
                        .graceTime(forEver)
                        .execute(work -> work.sql("a").timeout(forEver).update()))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void pauseBeyondTimerRangeIsCappedAtHundredYears() {
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
        Duration hundredYears = Duration.ofDays(36_500);

        assertThat(RetryPolicy.times(1).pauses(Duration.ZERO, forEver).longestPause())
                .isEqualTo(hundredYears);
        assertThat(RetryPolicy.times(1).pauses(forEver, forEver).firstPause()).isEqualTo(hundredYears);
    }

    @Test
    void invalidSettingsAreRejected() {
        UnitOfWork unit = engine.unitOfWork();
        Duration negative = Duration.ofSeconds(-1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> unit.timeout(negative))
                .withMessage("timeout is PT-1S: must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> unit.lockWaitTimeout(negative))
                .withMessage("lockWaitTimeout is PT-1S: must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> unit.cleanupTimeout(negative))
                .withMessage("cleanupTimeout is PT-1S: must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> unit.graceTime(negative))
                .withMessage("graceTime is PT-1S: must not be negative");
        assertThatIllegalArgumentException().isThrownBy(() -> unit.rowBuffer(0)).withMessageContaining("at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.times(0))
                .withMessageContaining("at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.times(1).pauses(LONG, Duration.ZERO))
                .withMessageContaining("PT30S up to PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.times(1).pauses(negative, LONG))
                .withMessage("firstPause is PT-1S: must not be negative");
    }

    @Test
    void engineOnConnectionSourceHasUnits() {
        Engine on = Engine.on(engine.unitOfWork().source(), Dialect.POSTGRESQL);

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> on.unitOfWork()
                                .propagation(Propagation.MANDATORY)
                                .execute(inner -> inner.sql("a").update())))
                .expectNext(1L)
                .verifyComplete();

        assertThat(on.connectionFactory().getMetadata().getName()).isEqualTo("PostgreSQL");
        assertThat(calls()).containsExactly("1 begin", "1 execute a", "1 commit");
    }

    @Test
    void statementWithoutContextAwaitsEndingSavepoint() {
        FakeGate gate = driver.on(Call.ROLLBACK_TO_SAVEPOINT).waits();

        StepVerifier.create(engine.unitOfWork().execute(work -> {
                    Engine bound = Engine.on(work);
                    bound.unitOfWork()
                            .execute(inner -> inner.sql("a").update().then(Mono.never()))
                            .subscribe()
                            .dispose();
                    return bound.sql("b").update().contextWrite(context -> Context.empty());
                }))
                .expectSubscription()
                .then(gate::release)
                .expectNext(1L)
                .verifyComplete();

        assertThat(calls())
                .containsExactly(
                        "1 begin",
                        "1 savepoint r2dbc_engine_1",
                        "1 execute a",
                        "1 rollback to savepoint r2dbc_engine_1",
                        "1 execute b",
                        "1 commit");
    }

    @Test
    void failingListenerIsLoggedAndDoesNotAffectUnit() {
        ReactiveEngineCache listened = ReactiveEngineCache.builder()
                .connectionFactory(options -> new FakeDriver())
                .listener(BrokenListener.of(WorkListener.class))
                .build();
        try (CapturedLogs logs = CapturedLogs.of(UnitOfWork.class)) {
            StepVerifier.create(listened.engine("r2dbc:fake://host/db")
                            .unitOfWork()
                            .execute(work -> work.sql("a").update()))
                    .expectNext(1L)
                    .verifyComplete();

            assertThat(logs.lines()).hasSize(4).containsOnly("WARN The work listener failed");
        }
    }
}
