package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Arrival, failure, timeout and cancel race; one wins, and no connection is lost. */
class ConnectionAttemptTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final FakeDriver driver = new FakeDriver();
    private final AtomicInteger expected = new AtomicInteger();

    private Mono<Connection> arrival(Duration limit) {
        return new ConnectionAttempt(driver::create, limit, expected::incrementAndGet, expected::decrementAndGet);
    }

    @AfterEach
    void whatIsOpenIsWhatWasHandedOut() {
        assertThat(driver.openConnections()).isEqualTo(expected.get());
        assertThat(driver.violations()).isEmpty();
    }

    @Test
    void aConnectionIsHandedOut() {
        StepVerifier.create(arrival(Duration.ZERO))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        assertThat(expected).hasValue(1);
    }

    @Test
    void afterTheLimitTheDriverIsCancelledAndTheSettingNamed() {
        driver.on(Call.CREATE).neverAnswers();

        StepVerifier.create(arrival(Duration.ofMillis(20)))
                .expectErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(R2dbcTimeoutException.class)
                        .hasMessage("No connection after PT0.02S, see maxCreateConnectionTime"))
                .verify(LONG);
        assertThat(driver.calls()).containsExactly("1 create", "1 cancel create");
    }

    @Test
    void oneThatArrivesAfterTheLimitIsClosed() {
        driver.on(Call.CREATE).answersAfterCancel();

        StepVerifier.create(arrival(Duration.ofMillis(20)))
                .expectError(R2dbcTimeoutException.class)
                .verify(LONG);

        untilCalled("1 close");
    }

    private void untilCalled(String call) {
        StepVerifier.create(Mono.fromSupplier(driver::calls)
                        .filter(calls -> calls.contains(call))
                        .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(1))))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void oneThatArrivesAfterACancelIsClosed() {
        driver.on(Call.CREATE).answersAfterCancel();
        Disposable leaving = arrival(LONG).subscribe();
        untilCalled("1 create");

        leaving.dispose();

        untilCalled("1 close");
    }

    @Test
    void aCancelBeforeTheRequestConnectsNothing() {
        StepVerifier.create(arrival(LONG), 0).thenCancel().verify(LONG);
        assertThat(driver.createdConnections()).isZero();
    }
}
