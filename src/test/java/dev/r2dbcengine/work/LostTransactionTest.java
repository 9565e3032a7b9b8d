package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A driver that reports the loss of the transaction, and then runs each statement in autocommit mode. */
class LostTransactionTest extends FakeUnits {
    private final RuntimeException replaced = new R2dbcTransientResourceException("replaced by the driver", "25S03");

    LostTransactionTest() {
        super(new FakeDriver("MariaDB"));
    }

    static Stream<RuntimeException> losses() {
        return Stream.of(
                new R2dbcTransientResourceException("replaced by the driver", "25S03"),
                new R2dbcTransientResourceException("killed", "70100", 1927),
                new R2dbcNonTransientResourceException("not of the primary component", null, 1047),
                new R2dbcNonTransientResourceException("no transaction", "25P01"),
                new R2dbcNonTransientResourceException("terminated", "57P01"),
                new R2dbcTransientResourceException("the lock table is full", "HY000", 1206),
                new R2dbcNonTransientResourceException("closed"));
    }

    private static Mono<Long> insert(Work work, String sql) {
        return work.sql(sql).update();
    }

    /** Returns a unit that swallows the failure of a middle part. */
    private Mono<Long> swallowing(Function<Work, Mono<Long>> middle) {
        return engine.unitOfWork()
                .execute(work -> insert(work, "before")
                        .then(middle.apply(work).onErrorReturn(0L))
                        .then(insert(work, "after").onErrorReturn(0L)));
    }

    private void assertLost(Mono<Long> unit, RuntimeException loss) {
        StepVerifier.create(unit)
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .hasCause(loss))
                .verify(LONG);

        assertThat(driver.calls()).doesNotContain("1 commit", "1 execute after");
        assertThat(units.events())
                .contains("rolled back", "connection discarded")
                .doesNotContain("committed");
        assertThat(nextUnit().block(LONG)).isOne();
        assertThat(driver.calls()).contains("2 execute next");
    }

    @ParameterizedTest
    @MethodSource("losses")
    void swallowedLossPreventsLaterStatementsAndCommit(RuntimeException loss) {
        driver.on(Call.EXECUTE, "lost"::equals).times(1).fails(loss);

        assertLost(swallowing(work -> insert(work, "lost")), loss);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void lossInSavepointRollsBackUnit(RuntimeException loss) {
        driver.on(Call.EXECUTE, "lost"::equals).times(1).fails(loss);

        assertLost(swallowing(work -> work.savepoint(inner -> insert(inner, "lost"))), loss);
        assertThat(driver.calls()).doesNotContain("1 rollback to savepoint r2dbc_engine_1");
    }

    @ParameterizedTest
    @MethodSource("losses")
    void lossInRawStatementRollsBackUnit(RuntimeException loss) {
        driver.on(Call.EXECUTE, "lost"::equals).times(1).fails(loss);

        assertLost(
                engine.unitOfWork()
                        .execute(work -> work.connection()
                                .flatMapMany(connection -> Flux.concatDelayError(
                                                connection
                                                        .createStatement("lost")
                                                        .execute(),
                                                connection
                                                        .createStatement("after")
                                                        .execute())
                                        .onErrorComplete())
                                .then(Mono.just(1L))),
                loss);
    }

    @Test
    void lossAtEndOfSavepointRollsBackUnit() {
        driver.on(Call.RELEASE_SAVEPOINT).times(1).fails(replaced);
        driver.on(Call.ROLLBACK_TO_SAVEPOINT).times(1).fails(replaced);

        assertLost(
                engine.unitOfWork()
                        .execute(work -> work.savepoint(inner -> insert(inner, "inner"))
                                .onErrorReturn(0L)
                                .then(insert(work, "after").onErrorReturn(0L))),
                replaced);
    }

    @Test
    void lossAtBeginOfSavepointRollsBackUnit() {
        driver.on(Call.SAVEPOINT).times(1).fails(replaced);

        assertLost(swallowing(work -> work.savepoint(inner -> insert(inner, "inner"))), replaced);
    }

    @Test
    void lossAtCommitIsInDoubt() {
        driver.on(Call.COMMIT).times(1).fails(replaced);

        StepVerifier.create(engine.unitOfWork().execute(work -> insert(work, "before")))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(replaced))
                .verify(LONG);
        assertThat(units.events()).containsExactly("began", "in doubt", "connection discarded");
    }

    @Test
    void lossInOnBeginStartsNewTransactionForNextStatement() {
        driver.on(Call.EXECUTE, "set up"::equals).times(1).fails(replaced);

        StepVerifier.create(engine.unitOfWork()
                        .onBegin(work -> insert(work, "set up").onErrorReturn(0L))
                        .execute(work -> insert(work, "before").onErrorResume(e -> insert(work, "again"))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        assertThat(driver.calls()).contains("2 execute set up", "2 execute again", "2 commit");
        assertThat(driver.calls()).doesNotContain("1 execute before", "1 commit");
    }

    @Test
    void otherStatementErrorKeepsUnitUsable() {
        RuntimeException signal = new R2dbcNonTransientResourceException("signal", null, 1644);
        driver.on(Call.EXECUTE, "refused"::equals).times(1).fails(signal);

        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> insert(work, "before")
                                .then(insert(work, "refused").onErrorReturn(0L))
                                .then(insert(work, "goes on"))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        assertThat(units.events()).containsExactly("began", "committed");
    }
}
