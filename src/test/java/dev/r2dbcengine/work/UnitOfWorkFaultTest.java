package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeBehaviour;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.function.Tuple2;

/**
 * Each call of the driver fails, throws, never answers, or answers only after its cancellation: the unit ends, and the
 * next one works.
 */
class UnitOfWorkFaultTest extends FakeUnits {
    private static final String READ = "select name from item";

    private final IllegalStateException body = new IllegalStateException("of the body");

    @BeforeEach
    void rows() {
        driver.answer(READ, 5, i -> FakeRow.of("name", "n" + i));
    }

    private Mono<Long> unit() {
        return engine.unitOfWork()
                .timeout(Duration.ofMinutes(1))
                .execute(work -> work.sql("a")
                        .update()
                        .then(work.savepoint(inner -> inner.sql("b").update()))
                        .thenMany(work.sql(READ).map(String.class).all())
                        .count());
    }

    private Mono<Long> failingUnit() {
        return engine.unitOfWork()
                .timeout(Duration.ofMinutes(1))
                .execute(work -> work.sql("a")
                        .update()
                        .then(work.savepoint(inner -> inner.sql("b").update().then(Mono.<Long>error(body)))));
    }

    /** The ways in which a call fails. */
    private enum Fault {
        FAILS,
        THROWS,
        NEVER_ANSWERS,
        ANSWERS_AFTER_CANCEL;

        void on(FakeBehaviour call, RuntimeException fault) {
            FakeBehaviour once = call.times(1);
            switch (this) {
                case FAILS -> once.fails(fault);
                case THROWS -> once.throwsAtOnce(fault);
                case NEVER_ANSWERS -> once.neverAnswers();
                case ANSWERS_AFTER_CANCEL -> once.answersAfterCancel();
            }
        }

        boolean reportsError() {
            return this == FAILS || this == THROWS;
        }
    }

    /** Returns a unit with a set-up, a savepoint, a batch and a row stream. */
    private Mono<Long> longUnit() {
        return engine.unitOfWork()
                .timeout(Duration.ofMinutes(1))
                .onBegin(work -> work.sql("set up").update())
                .execute(work -> work.sql("a")
                        .update()
                        .then(work.savepoint(inner -> inner.sql("b").update()))
                        .then(work.connection())
                        .flatMapMany(connection ->
                                connection.createBatch().add("c").add("d").execute())
                        .concatMap(result -> result.getRowsUpdated())
                        .thenMany(work.sql(READ).map(String.class).all())
                        .count());
    }

    /** A call of that unit, after a number of calls of its kind. */
    private record Point(Call call, int earlier) {
        boolean has(Fault fault) {
            return switch (call) {
                case PREPARE -> fault == Fault.THROWS;
                case ROWS -> fault != Fault.THROWS;
                default -> true;
            };
        }
    }

    static Stream<Arguments> faultsOfSuccessfulUnits() {
        Map<Call, Integer> counts = Map.of(
                Call.BEGIN, 1,
                Call.PREPARE, 4,
                Call.EXECUTE, 4,
                Call.BATCH, 1,
                Call.ROWS, 6,
                Call.SAVEPOINT, 1,
                Call.RELEASE_SAVEPOINT, 1,
                Call.COMMIT, 1);
        // An EnumMap has the same order in each JVM; the index of a test is its identity.
        return new EnumMap<>(counts)
                .entrySet().stream()
                        .flatMap(calls ->
                                IntStream.range(0, calls.getValue()).mapToObj(i -> new Point(calls.getKey(), i)))
                        .flatMap(point ->
                                Stream.of(Fault.values()).filter(point::has).map(fault -> Arguments.of(point, fault)));
    }

    @Test
    void longUnitSendsExpectedCalls() {
        assertThat(longUnit().block(LONG)).isEqualTo(5);
        assertThat(driver.calls(Call.CREATE, Call.VALIDATE))
                .containsExactly(
                        "1 begin",
                        "1 execute set up",
                        "1 execute a",
                        "1 savepoint r2dbc_engine_1",
                        "1 execute b",
                        "1 release savepoint r2dbc_engine_1",
                        "1 batch c; d",
                        "1 execute " + READ,
                        "1 commit");
    }

    @ParameterizedTest
    @MethodSource("faultsOfSuccessfulUnits")
    void unitFailsWithErrorOfCall(Point point, Fault fault) {
        fault.on(driver.on(point.call()).skip(point.earlier()), this.fault);

        failsByDeadline(longUnit(), e -> {
            if (fault.reportsError()) {
                assertThat(e).isSameAs(this.fault);
            } else {
                assertThat(e).isInstanceOf(WorkTimeoutException.class);
            }
        });
    }

    static Stream<Arguments> faultsOfFailedUnits() {
        return Stream.of(Call.ROLLBACK_TO_SAVEPOINT, Call.ROLLBACK)
                .flatMap(call -> Stream.of(Fault.values()).map(fault -> Arguments.of(call, fault)));
    }

    @ParameterizedTest
    @MethodSource("faultsOfFailedUnits")
    void bodyErrorSuppressesRollbackError(Call call, Fault fault) {
        fault.on(driver.on(call), this.fault);

        failsByDeadline(failingUnit(), e -> {
            assertThat(e).isSameAs(body);
            assertThat(e.getSuppressed()).hasSize(1);
            assertThat(e.getSuppressed()[0])
                    .isInstanceOf(fault.reportsError() ? this.fault.getClass() : WorkTimeoutException.class);
        });
        assertThat(units.events()).contains("connection discarded");
    }

    @Test
    void unansweredCommitIsInDoubt() {
        driver.on(Call.COMMIT).times(1).neverAnswers();

        failsByDeadline(
                unit(),
                e -> assertThat(e)
                        .isInstanceOf(WorkTimeoutException.class)
                        .hasMessageContaining("did not answer the commit within the cleanup timeout of PT10S"));

        assertThat(units.events()).containsExactly("began", "in doubt", "connection discarded");
    }

    @Test
    void noHookRunsWhenCommitIsInDoubt() {
        RuntimeException lost = new R2dbcNonTransientResourceException("lost", "08006");
        driver.on(Call.COMMIT).times(1).fails(lost);
        List<String> hooks = new CopyOnWriteArrayList<>();

        failsByDeadline(
                engine.unitOfWork().execute(work -> {
                    work.afterCommit(Mono.fromRunnable(() -> hooks.add("committed")));
                    work.afterRollback(Mono.fromRunnable(() -> hooks.add("rolled back")));
                    return work.sql("a").update();
                }),
                e -> assertThat(e).isSameAs(lost));

        assertThat(hooks).isEmpty();
        assertThat(units.events()).containsExactly("began", "in doubt", "connection discarded");
    }

    @Test
    void rejectedCommitRollsBackAndKeepsConnection() {
        RuntimeException refused = new R2dbcRollbackException("on purpose", "40001");
        driver.on(Call.COMMIT).times(1).fails(refused);

        failsByDeadline(unit(), e -> assertThat(e).isSameAs(refused));

        assertThat(units.events()).containsExactly("began", "rolled back");
        assertThat(driver.closedConnections()).isZero();
    }

    @Test
    void commitErrorSuppressesRollbackError() {
        RuntimeException refused = new R2dbcRollbackException("on purpose", "40001");
        driver.on(Call.COMMIT).times(1).fails(refused);
        driver.on(Call.ROLLBACK).times(1).fails(fault);

        failsByDeadline(unit(), e -> assertThat(e).isSameAs(refused).hasSuppressedException(fault));
    }

    @Test
    void failedCommitAfterFailedBodyReportsBoth() {
        driver.on(Call.COMMIT).times(1).fails(fault);
        Mono<Long> unit = engine.unitOfWork()
                .rollbackOn(e -> false)
                .execute(work -> work.sql("a").update().then(Mono.error(body)));

        failsByDeadline(unit, e -> assertThat(e).isSameAs(fault).hasSuppressedException(body));
    }

    @Test
    void failedReleaseAfterFailedBodyReportsBothAndRollsBack() {
        driver.on(Call.RELEASE_SAVEPOINT).times(1).fails(fault);
        Mono<Long> unit = engine.unitOfWork()
                .execute(work -> UnitOfWork.on(work)
                        .rollbackOn(e -> false)
                        .propagation(Propagation.NESTED)
                        .execute(inner -> inner.sql("a").update().then(Mono.<Long>error(body))));

        failsByDeadline(unit, e -> assertThat(e).isSameAs(fault).hasSuppressedException(body));

        assertThat(driver.calls()).contains("1 rollback to savepoint r2dbc_engine_1");
    }

    @Test
    void failedRollbackAfterCancelIsReportedToListener() {
        driver.on(Call.ROLLBACK).times(1).fails(fault);
        Disposable subscriber = engine.unitOfWork()
                .execute(work -> work.sql("a").update().then(Mono.never()))
                .subscribe();

        subscriber.dispose();

        assertThat(units.events()).containsExactly("began", "rollback failed", "rolled back", "connection discarded");
    }

    @Test
    void valueOfFailedCommitIsDiscarded() {
        driver.on(Call.COMMIT).times(1).fails(fault);
        List<Long> discarded = new CopyOnWriteArrayList<>();

        failsByDeadline(
                unit().doOnDiscard(Long.class, discarded::add),
                e -> assertThat(e).isSameAs(fault));

        assertThat(discarded).contains(5L);
    }

    @Test
    void hangingHookDelaysValueByCleanupTimeoutAtMost() {
        Mono<Long> unit = engine.unitOfWork().execute(work -> {
            work.afterCommit(Mono.never());
            return work.sql("a").update();
        });

        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
        StepVerifier.create(unit)
                .expectSubscription()
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(9)))
                .expectNoEvent(Duration.ZERO)
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(2)))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(units.events()).containsExactly("began", "committed", "hook failed");
    }

    @Test
    void timeoutRollsBackRegardlessOfRollbackOn() {
        Mono<Long> unit = engine.unitOfWork()
                .timeout(Duration.ofMinutes(1))
                .rollbackOn(e -> false)
                .execute(work -> work.sql("a").update().then(Mono.never()));

        failsByDeadline(unit, e -> assertThat(e).isInstanceOf(WorkTimeoutException.class));

        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void timeoutDuringBeforeCommitHookReportsBodyFailureToo() {
        Mono<Long> unit = engine.unitOfWork()
                .timeout(Duration.ofMinutes(1))
                .rollbackOn(e -> false)
                .execute(work -> {
                    work.beforeCommit(Mono.never());
                    return work.sql("a").update().then(Mono.error(fault));
                });

        failsByDeadline(
                unit,
                e -> assertThat(e).isInstanceOf(WorkTimeoutException.class).hasSuppressedException(fault));

        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void hangingBodyAndStatementAreTerminated() {
        driver.on(Call.EXECUTE).times(1).neverAnswers();
        driver.on(Call.CLOSE).times(1).neverAnswers();

        failsByDeadline(unit(), e -> assertThat(e).isInstanceOf(WorkTimeoutException.class));

        assertThat(units.events()).contains("statement ended", "rolled back", "connection discarded");
    }

    static Stream<Function<Work, Mono<Long>>> abandonedSavepoints() {
        return Stream.of(
                work -> work.savepoint(inner -> inner.sql("b").update()).timeout(Duration.ofSeconds(1), Mono.just(0L)),
                work -> work.savepoint(inner ->
                                inner.savepoint(deeper -> deeper.sql("b").update()))
                        .timeout(Duration.ofSeconds(1), Mono.just(0L)),
                work -> UnitOfWork.on(work)
                        .timeout(Duration.ofSeconds(1))
                        .execute(inner -> inner.sql("b").update())
                        .onErrorReturn(0L),
                work -> work.savepoint(inner -> {
                    inner.sql("b").update().subscribe();
                    return Mono.just(0L);
                }));
    }

    /** The savepoint waits behind a statement of its unit and has not begun, so it has nothing to end. */
    @ParameterizedTest
    @MethodSource("abandonedSavepoints")
    void savepointAbandonedInQueueDoesNotAffectUnit(Function<Work, Mono<Long>> savepoint) {
        FakeGate gate = driver.on(Call.EXECUTE, "long"::equals).times(1).waits();
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> Mono.zip(work.sql("long").update(), savepoint.apply(work))
                                .map(Tuple2::getT1)))
                .expectSubscription()
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(30)))
                .then(gate::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(units.events()).containsExactly("began", "committed");
    }

    @Test
    void savepointUsesGraceTimeOfUnit() {
        driver.on(Call.EXECUTE, "b"::equals).times(1).neverAnswers();
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
        Disposable left = engine.unitOfWork()
                .graceTime(Duration.ofMinutes(2))
                .execute(work -> work.savepoint(inner -> inner.sql("b").update())
                        .timeout(Duration.ofSeconds(1))
                        .onErrorReturn(0L))
                .subscribe();

        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(units.events()).containsExactly("began");
        time.advanceTimeBy(Duration.ofMinutes(5));

        assertThat(left.isDisposed()).isTrue();
        assertThat(units.events()).contains("statement ended");
    }

    @Test
    void hangingBeginReportsNoRollback() {
        driver.on(Call.BEGIN).times(1).neverAnswers().ignoresCancel();
        driver.on(Call.CLOSE).times(1).neverAnswers();

        failsByDeadline(unit(), e -> assertThat(e).isInstanceOf(WorkTimeoutException.class));

        assertThat(units.events())
                .contains("statement ended", "connection discarded")
                .doesNotContain("rolled back");
    }

    @Test
    void timeoutOfHookNamesCleanupTimeout() {
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

        StepVerifier.create(engine.unitOfWork().execute(work -> {
                    work.afterCommit(Mono.never());
                    return work.sql("a").update();
                }))
                .expectSubscription()
                .then(() -> time.advanceTimeBy(Duration.ofMinutes(5)))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(units.events()).containsExactly("began", "committed", "hook failed");
        assertThat(units.hookFailures())
                .singleElement(as(InstanceOfAssertFactories.THROWABLE))
                .isInstanceOf(WorkTimeoutException.class)
                .hasMessage("An action after the end was not over within the cleanup timeout of PT10S;"
                        + " it is waited for no longer. Raise UnitOfWork.cleanupTimeout(…) or let it do less");
    }
}
