package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeBehaviour;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.R2dbcDataIntegrityViolationException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A statement that a body subscribes to without awaiting it belongs to the unit, which commits only if it succeeds. */
class ForgottenStatementTest extends FakeUnits {
    private final List<Throwable> statementErrors = new CopyOnWriteArrayList<>();
    private final RuntimeException duplicate = new R2dbcDataIntegrityViolationException("duplicate", "23505");
    private VirtualTimeScheduler time;

    @BeforeEach
    void stopTheClock() {
        time = VirtualTimeScheduler.getOrSet();
    }

    private void forget(Mono<?> statement) {
        statement.subscribe(done -> {}, statementErrors::add);
    }

    private enum Kind {
        STATEMENT,
        ROW_STREAM,
        RAW_STATEMENT
    }

    private Mono<Long> forgetful(Work work) {
        return forgetful(work, Kind.STATEMENT);
    }

    private Mono<Long> forgetful(Work work, Kind kind) {
        return switch (kind) {
            case STATEMENT ->
                work.sql("a")
                        .update()
                        .doOnNext(done -> forget(work.sql("forgotten").update()));
            case ROW_STREAM ->
                work.sql("a")
                        .update()
                        .doOnNext(done ->
                                forget(work.sql("rows").map(String.class).all().then()));
            case RAW_STATEMENT ->
                work.connection()
                        .doOnNext(connection -> forget(Mono.from(
                                connection.createStatement("forgotten").execute())))
                        .thenReturn(1L);
        };
    }

    /** Makes the forgotten statement fail once the gate is released. */
    private FakeGate failsLate(Kind kind) {
        driver.answer("rows", 3, i -> FakeRow.of("name", "n" + i));
        FakeBehaviour call = kind == Kind.ROW_STREAM
                ? driver.on(Call.ROWS).skip(1).afterRows(1)
                : driver.on(Call.EXECUTE, "forgotten"::equals);
        return call.times(1).fails(duplicate).waits();
    }

    private static void reportsError(Throwable e) {
        assertThat(e)
                .isInstanceOf(WorkTimeoutException.class)
                .hasMessage(
                        "A statement of unit of work, which its body had left, did not end within the grace time of PT5S,"
                                + " so that nothing was committed. Let the body wait for its statements, or raise"
                                + " UnitOfWork.graceTime(…)");
    }

    private void neverEnds(boolean closeTerminatesIt) {
        driver.on(Call.EXECUTE, "forgotten"::equals).times(1).neverAnswers();
        if (!closeTerminatesIt) {
            driver.on(Call.CLOSE).times(1).neverAnswers();
        }
    }

    @Override
    Duration deadline() {
        return Duration.ofMinutes(1);
    }

    @ParameterizedTest
    @CsvSource({"STATEMENT, true", "STATEMENT, false", "RAW_STATEMENT, true", "RAW_STATEMENT, false"})
    void terminatedStatementPreventsCommit(Kind kind, boolean closeTerminatesIt) {
        neverEnds(closeTerminatesIt);

        failsByDeadline(
                engine.unitOfWork().execute(work -> forgetful(work, kind)), ForgottenStatementTest::reportsError);

        assertThat(driver.calls()).doesNotContain("1 commit");
        assertThat(units.events()).containsExactly("began", "statement ended", "rolled back", "connection discarded");
    }

    @Test
    void statementCompletingWithinGraceTimeIsCommitted() {
        FakeGate gate = driver.on(Call.EXECUTE, "forgotten"::equals).times(1).waits();

        StepVerifier.create(engine.unitOfWork().execute(this::forgetful))
                .expectSubscription()
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(4)))
                .then(gate::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(units.events()).containsExactly("began", "committed");
    }

    @ParameterizedTest
    @EnumSource
    void failureAfterBodyPreventsCommit(Kind kind) {
        FakeGate gate = failsLate(kind);

        StepVerifier.create(engine.unitOfWork().execute(work -> forgetful(work, kind)))
                .expectSubscription()
                .then(gate::release)
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .hasCause(duplicate))
                .verify(LONG);

        assertThat(statementErrors).containsExactly(duplicate);
        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void failureAfterSavepointBodyRollsBackSavepoint() {
        FakeGate gate = failsLate(Kind.STATEMENT);

        StepVerifier.create(engine.unitOfWork()
                        .execute(work ->
                                work.savepoint(this::forgetful).onErrorReturn(UnexpectedRollbackException.class, -1L)))
                .expectSubscription()
                .then(gate::release)
                .expectNext(-1L)
                .expectComplete()
                .verify(LONG);

        assertThat(driver.calls()).contains("1 rollback to savepoint r2dbc_engine_1", "1 commit");
    }

    @Test
    void failureInRollbackOnlyUnitKeepsValue() {
        FakeGate gate = failsLate(Kind.STATEMENT);

        StepVerifier.create(engine.unitOfWork().alwaysRollback().execute(this::forgetful))
                .expectSubscription()
                .then(gate::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void streamEmitsValuesThenFails() {
        neverEnds(true);

        StepVerifier.create(engine.unitOfWork().stream(this::forgetful))
                .expectNext(1L)
                .then(() -> time.advanceTimeBy(Duration.ofMinutes(1)))
                .expectErrorSatisfies(ForgottenStatementTest::reportsError)
                .verify(LONG);

        assertThat(units.events()).doesNotContain("committed");
    }

    @Test
    void bodyFailureTakesPrecedence() {
        neverEnds(true);
        IllegalStateException failure = new IllegalStateException("of the body");

        failsByDeadline(
                engine.unitOfWork().execute(work -> forgetful(work).then(Mono.error(failure))),
                e -> assertThat(e).isSameAs(failure));
    }

    @Test
    void statementWaitingForConnectionIsRejected() {
        FakeGate gate = driver.on(Call.EXECUTE, "first"::equals).times(1).waits();
        Disposable first =
                engine.unitOfWork().execute(work -> work.sql("first").update()).subscribe();

        failsByDeadline(
                engine.unitOfWork().execute(work -> {
                    forget(work.sql("forgotten").update());
                    return Mono.just(1L);
                }),
                ForgottenStatementTest::reportsError);

        assertThat(statementErrors).singleElement().isInstanceOf(WorkEndedException.class);
        gate.release();
        assertThat(first.isDisposed()).isTrue();
        assertThat(units.events()).containsExactly("began", "committed");
    }

    @Test
    void failureAtEndOfForgottenSavepointPreventsCommit() {
        FakeGate gate = driver.on(Call.EXECUTE, "forgotten"::equals).times(1).waits();
        driver.on(Call.RELEASE_SAVEPOINT).times(1).fails(fault);
        driver.on(Call.ROLLBACK_TO_SAVEPOINT).times(1).fails(fault);

        StepVerifier.create(engine.unitOfWork().execute(work -> {
                    forget(work.savepoint(inner -> inner.sql("forgotten").update()));
                    return Mono.just(1L);
                }))
                .expectSubscription()
                .then(gate::release)
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .hasCause(fault))
                .verify(LONG);

        assertThat(statementErrors).containsExactly(fault);
        assertThat(units.events()).containsExactly("began", "rolled back", "connection discarded");
    }

    @Test
    void hangingStatementOfSavepointRollsBackUnit() {
        neverEnds(false);

        failsByDeadline(
                engine.unitOfWork()
                        .execute(work -> work.savepoint(this::forgetful).onErrorReturn(0L)),
                e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .cause()
                        .satisfies(ForgottenStatementTest::reportsError));

        assertThat(units.events()).containsExactly("began", "statement ended", "rolled back", "connection discarded");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void terminatedStatementOfOnBeginFailsUnit(boolean closeTerminatesIt) {
        neverEnds(closeTerminatesIt);

        failsByDeadline(
                engine.unitOfWork()
                        .onBegin(this::forgetful)
                        .execute(work -> work.sql("body").update()),
                e -> assertThat(e)
                        .isInstanceOf(WorkTimeoutException.class)
                        .hasMessageStartingWith("A statement of the set-up of unit of work, which"));

        assertThat(driver.calls()).doesNotContain("1 execute body");
        assertThat(units.events()).containsExactly("began", "statement ended", "rolled back", "connection discarded");
    }
}
