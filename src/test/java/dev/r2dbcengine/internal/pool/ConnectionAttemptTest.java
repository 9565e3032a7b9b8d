package dev.r2dbcengine.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.internal.pool.ConnectionAttempt.Created;
import dev.r2dbcengine.internal.url.Setting;
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
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** The first of connection, error, timeout and cancellation wins, and no connection is leaked. */
class ConnectionAttemptTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final FakeDriver driver = new FakeDriver();
    private final AtomicInteger expected = new AtomicInteger();

    private Mono<Connection> attempt(Duration timeout) {
        return attempt(timeout, Mono.empty());
    }

    private Mono<Connection> attempt(Duration timeout, Mono<Void> setUp) {
        return new ConnectionAttempt(
                () -> Mono.from(driver.create()).map(connection -> new Created(connection, setUp)),
                timeout,
                Setting.MAX_CREATE_CONNECTION_TIME,
                expected::incrementAndGet,
                expected::decrementAndGet);
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(driver.openConnections()).isEqualTo(expected.get());
        assertThat(driver.violations()).isEmpty();
    }

    @Test
    void connectionOfDriverIsEmitted() {
        StepVerifier.create(attempt(Duration.ZERO))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        assertThat(expected).hasValue(1);
    }

    @Test
    void timeoutCancelsDriverAndNamesSetting() {
        driver.on(Call.CREATE).neverAnswers();

        StepVerifier.create(attempt(Duration.ofMillis(20)))
                .expectErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(R2dbcTimeoutException.class)
                        .hasMessage("No connection after PT0.02S, see maxCreateConnectionTime"))
                .verify(LONG);
        assertThat(driver.calls()).containsExactly("1 create", "1 cancel create");
    }

    @Test
    void connectionCreatedAfterTimeoutIsClosed() {
        driver.on(Call.CREATE).answersAfterCancel();

        StepVerifier.create(attempt(Duration.ofMillis(20)))
                .expectError(R2dbcTimeoutException.class)
                .verify(LONG);

        awaitCall("1 close");
    }

    private void awaitCall(String call) {
        StepVerifier.create(Mono.fromSupplier(driver::calls)
                        .filter(calls -> calls.contains(call))
                        .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(1))))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void connectionCreatedAfterCancelIsClosed() {
        driver.on(Call.CREATE).answersAfterCancel();
        Disposable subscription = attempt(LONG).subscribe();
        awaitCall("1 create");

        subscription.dispose();

        awaitCall("1 close");
    }

    @Test
    void connectionIsEmittedOnceItIsSetUp() {
        TestPublisher<Void> setUp = TestPublisher.create();

        StepVerifier.create(attempt(LONG, setUp.mono()))
                .then(() -> awaitCall("1 create"))
                .then(setUp::complete)
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        assertThat(expected).hasValue(1);
    }

    @Test
    void connectionIsClosedIfItsSetUpFails() {
        StepVerifier.create(attempt(LONG, Mono.error(new IllegalStateException("refused"))))
                .expectErrorMessage("refused")
                .verify(LONG);

        awaitCall("1 close");
    }

    @Test
    void timeoutDuringSetUpCancelsItAndClosesTheConnection() {
        TestPublisher<Void> setUp = TestPublisher.create();

        StepVerifier.create(attempt(Duration.ofMillis(500), setUp.mono()))
                .expectError(R2dbcTimeoutException.class)
                .verify(LONG);

        awaitCall("1 close");
        setUp.assertCancelled();
    }

    @Test
    void cancelThatMeetsTheEndOfSetUpClosesTheConnectionOnce() {
        TestPublisher<Void> setUp = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        Sinks.Empty<Void> begun = Sinks.empty();
        Disposable subscription = attempt(
                        LONG,
                        setUp.mono()
                                .doOnSubscribe(start -> begun.tryEmitEmpty())
                                .doOnCancel(setUp::complete))
                .subscribe();
        begun.asMono().block(LONG);

        subscription.dispose();

        awaitCall("1 close");
    }

    @Test
    void cancelBeforeRequestDoesNotConnect() {
        StepVerifier.create(attempt(LONG), 0).thenCancel().verify(LONG);
        assertThat(driver.createdConnections()).isZero();
    }
}
