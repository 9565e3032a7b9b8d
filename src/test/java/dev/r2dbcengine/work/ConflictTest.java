package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import io.r2dbc.spi.R2dbcRollbackException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A database that rolls back on a conflict, and then runs each statement in autocommit mode. */
class ConflictTest extends FakeUnits {
    private final RuntimeException conflict = new R2dbcRollbackException("deadlock", "40001", 1213);

    ConflictTest() {
        super(new FakeDriver("MariaDB"));
    }

    @Override
    boolean isAllowedViolation(String call) {
        return false;
    }

    @Test
    void conflictInAbandonedStatementRollsBack() {
        FakeGate gate = driver.on(Call.EXECUTE, "b"::equals).fails(conflict).waits();

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> work.sql("a")
                                .update()
                                .thenMany(Flux.merge(work.sql("b").update(), Mono.just(0L)))
                                .next()))
                .expectSubscription()
                .then(gate::release)
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .hasCause(conflict))
                .verify(LONG);

        assertThat(driver.calls()).contains("1 rollback").doesNotContain("1 commit");
        assertThat(units.events())
                .containsExactly("began", "statement whose subscriber had cancelled failed", "rolled back");
    }

    @Test
    void conflictSwallowedByOnBeginPreventsLaterStatements() {
        driver.on(Call.EXECUTE, "set up"::equals).times(1).fails(conflict);
        UnitOfWork settingUp = engine.unitOfWork()
                .onBegin(work -> work.sql("set up")
                        .update()
                        .onErrorReturn(0L)
                        .then(work.sql("set up more").update().onErrorReturn(0L)));

        StepVerifier.create(settingUp.execute(work -> work.sql("a").update()))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(WorkException.class)
                        .hasMessageContaining("was rolled back by the database")
                        .hasCause(conflict))
                .verify(LONG);
        assertThat(driver.calls()).doesNotContain("1 execute set up more", "1 execute a", "1 commit");
    }

    @Test
    void bodyMayRetryAfterFailedOnBegin() {
        driver.on(Call.EXECUTE, "set up"::equals).times(1).fails(conflict);
        UnitOfWork settingUp =
                engine.unitOfWork().onBegin(work -> work.sql("set up").update());

        StepVerifier.create(settingUp.execute(work ->
                        work.sql("a").update().onErrorResume(e -> work.sql("b").update())))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        assertThat(units.events()).containsExactly("began", "rolled back", "began", "committed");
    }
}
