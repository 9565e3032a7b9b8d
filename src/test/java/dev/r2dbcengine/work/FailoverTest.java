package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Failures of the server: which connections are closed, and which units are retried. */
class FailoverTest extends FakeUnits {
    private static final RetryPolicy FAILOVER =
            RetryPolicy.times(1).pauses(Duration.ZERO, Duration.ZERO).failover(Duration.ofMinutes(1));

    private final RuntimeException lost = new R2dbcNonTransientResourceException("gone", "57P01");
    private final RuntimeException demoted = new R2dbcTransientResourceException("read-only", "25006");

    FailoverTest() {
        super(new FakeDriver("PostgreSQL"));
    }

    private Mono<Long> unit(UnitOfWork units) {
        return units.execute(work -> work.sql("a").update());
    }

    private void fails(Mono<Long> unit, Throwable expected) {
        StepVerifier.create(unit)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(expected))
                .verify(LONG);
    }

    private void succeeds(Mono<Long> unit) {
        StepVerifier.create(unit).expectNext(1L).expectComplete().verify(LONG);
    }

    @ParameterizedTest
    @CsvSource({"57P01", "08006", "25006", "57P03"})
    void unitIsRetriedOnAnotherConnection(String state) {
        driver.on(Call.EXECUTE, "a"::equals).times(3).fails(new R2dbcNonTransientResourceException("failover", state));

        succeeds(unit(engine.unitOfWork().retry(FAILOVER)));

        assertThat(driver.createdConnections()).isEqualTo(4);
        assertThat(driver.calls(Call.VALIDATE)).endsWith("4 begin", "4 execute a", "4 commit");
    }

    @Test
    void unitIsRetriedIfBeginFails() {
        driver.on(Call.BEGIN).times(1).fails(lost);

        succeeds(unit(engine.unitOfWork().retry(FAILOVER)));
    }

    @Test
    void unitIsRetriedIfItsBodySwallowsLoss() {
        driver.on(Call.EXECUTE, "a"::equals).times(1).fails(lost);

        succeeds(engine.unitOfWork()
                .retry(FAILOVER)
                .execute(work -> work.sql("a").update().onErrorReturn(1L)));

        assertThat(units.count("committed")).isOne();
    }

    @Test
    void unitIsRetriedIfNoConnectionIsObtained() {
        driver.on(Call.EXECUTE, "a"::equals).times(1).fails(lost);
        driver.on(Call.CREATE).times(2).fails(lost);

        succeeds(unit(engine.unitOfWork().retry(FAILOVER)));
    }

    @Test
    void unitIsNotRetriedWithoutFailover() {
        driver.on(Call.EXECUTE, "a"::equals).times(1).fails(lost);

        fails(unit(engine.unitOfWork().retry(RetryPolicy.times(3))), lost);
    }

    @Test
    void unitIsNotRetriedPastLimit() {
        driver.on(Call.EXECUTE, "a"::equals).fails(lost);

        fails(unit(engine.unitOfWork().retry(FAILOVER.failover(Duration.ofNanos(1)))), lost);
    }

    @Test
    void failureOfApplicationIsNotRetried() {
        AtomicInteger runs = new AtomicInteger();
        RuntimeException own = new IllegalStateException("no");

        fails(
                engine.unitOfWork().retry(FAILOVER).execute(work -> {
                    runs.incrementAndGet();
                    return Mono.error(own);
                }),
                own);

        assertThat(runs).hasValue(1);
    }

    @Test
    void unitInDoubtIsNotRetried() {
        driver.on(Call.COMMIT).times(1).fails(lost);

        fails(unit(engine.unitOfWork().retry(FAILOVER)), lost);

        assertThat(units.events()).contains("in doubt");
    }

    @Test
    void conflictsAreLimitedByNumber() {
        RuntimeException conflict = new R2dbcTransientResourceException("conflict", "40001");
        driver.on(Call.EXECUTE, "a"::equals).times(2).fails(conflict);

        StepVerifier.create(unit(engine.unitOfWork().retry(FAILOVER)))
                .expectError(R2dbcException.class)
                .verify(LONG);
    }

    @Test
    void connectionToDemotedServerIsClosed() {
        driver.on(Call.EXECUTE, "a"::equals).times(2).fails(demoted);

        fails(unit(engine.unitOfWork()), demoted);
        fails(engine.sql("a").update(), demoted);

        assertThat(driver.closedConnections()).isEqualTo(2);
    }

    @Test
    void writeInReadOnlyUnitKeepsConnection() {
        driver.on(Call.EXECUTE, "a"::equals).times(1).fails(demoted);

        fails(unit(engine.unitOfWork().readOnly().retry(FAILOVER)), demoted);

        assertThat(driver.closedConnections()).isZero();
    }

    @Test
    void limitMustNotBeNegative() {
        assertThatThrownBy(() -> FAILOVER.failover(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("failover");
    }
}
