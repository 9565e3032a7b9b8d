package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A plan outdated by a schema change: the driver reports an aborted transaction without an earlier error. */
class OutdatedPlanTest extends FakeUnits {
    private static final String READ = "select name from item";

    private final RuntimeException outdated = new R2dbcNonTransientResourceException("aborted", "25P02");

    OutdatedPlanTest() {
        super(new FakeDriver("PostgreSQL"));
    }

    private void failsOnceAsOutdated(String sql) {
        driver.on(Call.EXECUTE, sql::equals).times(1).fails(outdated);
    }

    private Mono<Long> unit(UnitOfWork unitOfWork) {
        return unitOfWork.execute(
                work -> work.sql("a").update().then(work.sql("b").update()));
    }

    private void fails(Mono<?> unit) {
        StepVerifier.create(unit)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(outdated))
                .verify(LONG);
    }

    @Test
    void firstStatementRunsAgainInNewTransaction() {
        failsOnceAsOutdated("a");

        StepVerifier.create(unit(
                        engine.unitOfWork().onBegin(work -> work.sql("set up").update())))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(driver.calls(Call.CREATE, Call.VALIDATE))
                .containsExactly(
                        "1 begin",
                        "1 execute set up",
                        "1 execute a",
                        "1 rollback",
                        "1 begin",
                        "1 execute set up",
                        "1 execute a",
                        "1 execute b",
                        "1 commit");
        assertThat(units.events()).containsExactly("began", "rolled back", "began", "committed");
    }

    @Test
    void rowsOfFirstStatementAreReadAgain() {
        driver.answer(READ, 3, i -> FakeRow.of("name", "n" + i));
        failsOnceAsOutdated(READ);

        StepVerifier.create(engine.unitOfWork().stream(
                        work -> work.sql(READ).map(String.class).all()))
                .expectNext("n0", "n1", "n2")
                .expectComplete()
                .verify(LONG);
        assertThat(units.events()).containsExactly("began", "rolled back", "began", "committed");
    }

    @Test
    void rowsRequestedOneByOneFail() {
        driver.answer(READ, 3, i -> FakeRow.of("name", "n" + i));
        failsOnceAsOutdated(READ);

        StepVerifier.create(
                        engine.unitOfWork().stream(
                                work -> work.sql(READ).map(String.class).all()),
                        1)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(outdated))
                .verify(LONG);
    }

    @Test
    void secondFailureIsPassedOn() {
        driver.on(Call.EXECUTE, "a"::equals).times(2).fails(outdated);

        fails(unit(engine.unitOfWork()));
        assertThat(units.events()).containsExactly("began", "rolled back", "began", "rolled back");
    }

    @Test
    void failedRollbackFailsUnit() {
        failsOnceAsOutdated("a");
        driver.on(Call.ROLLBACK).times(1).fails(fault);

        StepVerifier.create(unit(engine.unitOfWork()))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(outdated).hasSuppressedException(fault))
                .verify(LONG);
        assertThat(units.events()).contains("rolled back", "connection discarded");
    }

    @Test
    void laterStatementFailsAndPolicyRetriesUnit() {
        failsOnceAsOutdated("b");
        fails(unit(engine.unitOfWork()));

        failsOnceAsOutdated("b");
        StepVerifier.create(unit(engine.unitOfWork().retry(RetryPolicy.times(1).pauses(Duration.ZERO, Duration.ZERO))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        assertThat(units.events()).contains("retrying after 1");
    }

    @Test
    void statementAfterSwallowedFailureIsNotRetried() {
        driver.on(Call.EXECUTE, "a"::equals).times(1).fails(new R2dbcNonTransientResourceException("refused", "P0001"));
        driver.on(Call.EXECUTE, "b"::equals).fails(outdated);

        fails(engine.unitOfWork()
                .retry(RetryPolicy.times(1).pauses(Duration.ZERO, Duration.ZERO))
                .execute(work -> work.sql("a")
                        .update()
                        .onErrorReturn(0L)
                        .then(work.sql("b").update())));
        assertThat(units.events()).containsExactly("began", "rolled back");
    }
}
