package dev.r2dbcengine.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.pool.PoolShutdownException;
import reactor.test.StepVerifier;

class ShutdownSafePoolTest {
    private final FakeDriver driver = new FakeDriver();
    private final ShutdownSafePool pool = pool(driver, 0);

    private static ShutdownSafePool pool(ConnectionFactory factory, int retries) {
        return new ShutdownSafePool(
                ConnectionPoolConfiguration.builder(factory)
                        .initialSize(0)
                        .maxSize(1)
                        .acquireRetry(0)
                        .allocatorSubscribeOn(Schedulers.immediate())
                        .build(),
                new ShutdownGate(),
                Duration.ofSeconds(9),
                retries,
                connection -> {},
                UnaryOperator.identity(),
                UnaryOperator.identity());
    }

    @Test
    void requestAfterShutdownFails() {
        StepVerifier.create(pool.create(), 0)
                .expectSubscription()
                .then(() -> pool.disposeLater().subscribe())
                .thenRequest(1)
                .verifyError(PoolShutdownException.class);

        assertThat(driver.openConnections()).isZero();
    }

    @Test
    void cancelBeforeRequestCreatesNoConnection() {
        StepVerifier.create(pool.create(), 0).thenCancel().verify();

        assertThat(driver.openConnections()).isZero();
    }

    @Test
    void acquireTimeoutFailsAndIsNoLongerPending() {
        Connection first = Objects.requireNonNull(pool.create().block());

        StepVerifier.withVirtualTime(pool::create)
                .expectSubscription()
                .expectNoEvent(Duration.ofSeconds(9).minusMillis(1))
                .thenAwait(Duration.ofMillis(1))
                .verifyErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(R2dbcTimeoutException.class)
                        .hasMessage("No connection of the pool was free within PT9S: 1 of 1 are in use, 0 acquisitions"
                                + " pending. See maxAcquireTime and maxSize, and check whether a connection is"
                                + " held for long or never released"));

        assertThat(pool.getMetrics().orElseThrow().pendingAcquireSize()).isZero();
        Mono.from(first.close()).as(StepVerifier::create).verifyComplete();
        pool.create().as(StepVerifier::create).expectNextCount(1).verifyComplete();
    }

    @Test
    void cancelledAcquisitionIsNoLongerPending() {
        Connection first = Objects.requireNonNull(pool.create().block());

        StepVerifier.create(pool.create())
                .expectSubscription()
                .then(() -> assertThat(pool.getMetrics().orElseThrow().pendingAcquireSize())
                        .isOne())
                .thenCancel()
                .verify();

        assertThat(pool.getMetrics().orElseThrow().pendingAcquireSize()).isZero();
        assertThat(first).isNotNull();
    }

    @Test
    void pendingAcquisitionUsesFallbackAfterShutdown() {
        Connection first = Objects.requireNonNull(pool.create().block());
        ShutdownSafePool other = pool(driver, 0);
        for (ShutdownSafePool closed : List.of(pool, pool(driver, 1))) {
            List<Connection> acquired = new ArrayList<>();
            BaseSubscriber<Connection> subscriber = new BaseSubscriber<>() {
                @Override
                protected void hookOnNext(Connection connection) {
                    acquired.add(connection);
                }
            };
            if (closed != pool) {
                closed.create().block();
            }
            closed.acquire(subscriber, other.create());
            assertThat(acquired).isEmpty();

            closed.disposeLater().as(StepVerifier::create).verifyComplete();

            assertThat(acquired).hasSize(1);
            Mono.from(acquired.get(0).close()).as(StepVerifier::create).verifyComplete();
        }
        Mono.from(first.close()).as(StepVerifier::create).verifyComplete();
    }

    @Test
    void shutdownWaitsForConcurrentAcquisition() {
        List<String> order = new ArrayList<>();

        pool.create()
                .doOnNext(connection -> {
                    pool.shut().subscribe(null, null, () -> order.add("shut"));
                    order.add("borrowed");
                })
                .subscribe();

        assertThat(order).containsExactly("borrowed", "shut");
    }

    @Test
    void shutdownAwaitedWithinCallTimesOut() {
        AtomicBoolean shut = new AtomicBoolean();

        pool.create()
                .doOnNext(connection -> {
                    StepVerifier.withVirtualTime(pool::disposeLater)
                            .expectSubscription()
                            .expectNoEvent(Duration.ofSeconds(9))
                            .thenAwait(Duration.ofSeconds(1))
                            .verifyComplete();
                    shut.set(pool.isDisposed());
                })
                .subscribe();

        assertThat(shut).isTrue();
    }

    @Test
    void acquisitionAfterShutdownIsRejected() {
        pool.disposeLater().as(StepVerifier::create).verifyComplete();

        pool.create().as(StepVerifier::create).verifyError(PoolShutdownException.class);
        assertThat(driver.openConnections()).isZero();
        pool.disposeLater().as(StepVerifier::create).verifyComplete();
    }

    @Test
    void eachRetryPassesTheGate() {
        AtomicInteger calls = new AtomicInteger();
        ShutdownSafePool retrying = pool(new FailingOnce(driver, calls), 1);

        retrying.create().as(StepVerifier::create).expectNextCount(1).verifyComplete();
        assertThat(calls).hasValue(2);
    }

    private record FailingOnce(FakeDriver driver, AtomicInteger calls) implements ConnectionFactory {
        @Override
        public Mono<Connection> create() {
            return Mono.defer(() -> calls.incrementAndGet() == 1
                    ? Mono.error(new IllegalStateException("the first try"))
                    : Mono.from(driver.create()));
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return driver.getMetadata();
        }
    }
}
