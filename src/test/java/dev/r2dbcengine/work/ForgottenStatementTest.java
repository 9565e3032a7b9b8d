package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.R2dbcDataIntegrityViolationException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What a body has subscribed and not waited for is of the unit: without it there is no commit, and no success is told. */
class ForgottenStatementTest extends FakeUnits {
    private final List<Throwable> toldToTheStatement = new CopyOnWriteArrayList<>();
    private final RuntimeException duplicate = new R2dbcDataIntegrityViolationException("duplicate", "23505");
    private VirtualTimeScheduler time;

    @BeforeEach
    void stopTheClock() {
        time = VirtualTimeScheduler.getOrSet();
    }

    private void forget(Mono<?> statement) {
        statement.subscribe(done -> {}, toldToTheStatement::add);
    }

    private Mono<Long> forgetful(Work work) {
        return work.sql("a")
                .update()
                .doOnNext(done -> forget(work.sql("forgotten").update()));
    }

    private static void isTold(Throwable e) {
        assertThat(e)
                .isInstanceOf(WorkTimeoutException.class)
                .hasMessage(
                        "A statement of unit of work, which its body had left, did not end within the grace time of PT5S,"
                                + " so that nothing was committed. Let the body wait for its statements, or raise"
                                + " UnitOfWork.graceTime(…)");
    }

    private void neverEnds(boolean butByItsClose) {
        driver.on(Call.EXECUTE, "forgotten"::equals).times(1).neverAnswers();
        if (!butByItsClose) {
            driver.on(Call.CLOSE).times(1).neverAnswers();
        }
    }

    @Override
    Duration inTime() {
        return Duration.ofMinutes(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThatIsEndedByForceIsNoCommit(boolean closeEndsIt) {
        neverEnds(closeEndsIt);

        failsInTime(engine.unitOfWork().execute(this::forgetful), ForgottenStatementTest::isTold);

        assertThat(driver.calls()).doesNotContain("1 commit");
        assertThat(units.events()).containsExactly("began", "statement ended", "rolled back", "connection discarded");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneOnTheConnectionItselfIsNoOther(boolean closeEndsIt) {
        neverEnds(closeEndsIt);

        failsInTime(
                engine.unitOfWork()
                        .execute(work -> work.connection()
                                .doOnNext(connection -> forget(Mono.from(
                                        connection.createStatement("forgotten").execute())))
                                .thenReturn(1L)),
                ForgottenStatementTest::isTold);

        assertThat(driver.calls()).doesNotContain("1 commit");
        assertThat(units.events()).containsExactly("began", "statement ended", "rolled back", "connection discarded");
    }

    @Test
    void oneThatEndsInTimeIsCommitted() {
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

    @Test
    void failureAfterTheBodyIsNoCommit() {
        FakeGate gate = driver.on(Call.EXECUTE, "forgotten"::equals)
                .times(1)
                .fails(duplicate)
                .waits();

        StepVerifier.create(engine.unitOfWork().execute(this::forgetful))
                .expectSubscription()
                .then(gate::release)
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .hasCause(duplicate))
                .verify(LONG);

        assertThat(toldToTheStatement).containsExactly(duplicate);
        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void failureOfARowStreamAfterTheBodyIsNoCommit() {
        driver.answer("rows", 3, i -> FakeRow.of("name", "n" + i));
        FakeGate gate = driver.on(Call.ROWS)
                .skip(1)
                .times(1)
                .afterRows(1)
                .fails(duplicate)
                .waits();

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> work.sql("a")
                                .update()
                                .doOnNext(done -> forget(
                                        work.sql("rows").map(String.class).all().then()))))
                .expectSubscription()
                .then(gate::release)
                .verifyError(UnexpectedRollbackException.class);

        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void failureOnTheConnectionItselfAfterTheBodyIsNoCommit() {
        FakeGate gate = driver.on(Call.EXECUTE, "forgotten"::equals)
                .times(1)
                .fails(duplicate)
                .waits();

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> work.connection()
                                .doOnNext(connection -> forget(Mono.from(
                                        connection.createStatement("forgotten").execute())))
                                .thenReturn(1L)))
                .expectSubscription()
                .then(gate::release)
                .verifyError(UnexpectedRollbackException.class);

        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void failureAfterTheBodyOfASavepointRollsBackTheSavepoint() {
        FakeGate gate = driver.on(Call.EXECUTE, "forgotten"::equals)
                .times(1)
                .fails(duplicate)
                .waits();

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
    void failureAfterTheBodyOfARollbackOnlyUnitLetsItsValuePass() {
        FakeGate gate = driver.on(Call.EXECUTE, "forgotten"::equals)
                .times(1)
                .fails(duplicate)
                .waits();

        StepVerifier.create(engine.unitOfWork().alwaysRollback().execute(this::forgetful))
                .expectSubscription()
                .then(gate::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void aStreamHasGivenItsValuesAndEndsWithTheFailure() {
        neverEnds(true);

        StepVerifier.create(engine.unitOfWork().stream(this::forgetful))
                .expectNext(1L)
                .then(() -> time.advanceTimeBy(Duration.ofMinutes(1)))
                .expectErrorSatisfies(ForgottenStatementTest::isTold)
                .verify(LONG);

        assertThat(units.events()).doesNotContain("committed");
    }

    @Test
    void theFailureOfTheBodyGoesFirst() {
        neverEnds(true);
        IllegalStateException failure = new IllegalStateException("of the body");

        failsInTime(
                engine.unitOfWork().execute(work -> forgetful(work).then(Mono.error(failure))),
                e -> assertThat(e).isSameAs(failure));
    }

    @Test
    void oneThatWaitsForAConnectionIsRefused() {
        FakeGate gate = driver.on(Call.EXECUTE, "first"::equals).times(1).waits();
        Disposable first =
                engine.unitOfWork().execute(work -> work.sql("first").update()).subscribe();

        failsInTime(
                engine.unitOfWork().execute(work -> {
                    forget(work.sql("forgotten").update());
                    return Mono.just(1L);
                }),
                ForgottenStatementTest::isTold);

        assertThat(toldToTheStatement).singleElement().isInstanceOf(WorkEndedException.class);
        gate.release();
        assertThat(first.isDisposed()).isTrue();
        assertThat(units.events()).containsExactly("began", "committed");
    }

    @Test
    void aSavepointWhoseEndFailsIsNoCommit() {
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

        assertThat(toldToTheStatement).containsExactly(fault);
        assertThat(units.events()).containsExactly("began", "rolled back", "connection discarded");
    }

    @Test
    void oneOfASavepointThatNothingEndsRollsEverythingBack() {
        neverEnds(false);

        failsInTime(
                engine.unitOfWork()
                        .execute(work -> work.savepoint(this::forgetful).onErrorReturn(0L)),
                e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .cause()
                        .satisfies(ForgottenStatementTest::isTold));

        assertThat(units.events()).containsExactly("began", "statement ended", "rolled back", "connection discarded");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutOneOfItsSetUpAUnitDoesNotRun(boolean closeEndsIt) {
        neverEnds(closeEndsIt);

        failsInTime(
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
