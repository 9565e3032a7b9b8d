package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.internal.url.Setting;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A publisher that creates a connection of the driver, with a timeout. The first of connection, error, timeout and
 * cancellation wins; a connection that the driver emits later is closed.
 *
 * <p>The driver is subscribed without the Context of any subscriber, on a thread of {@link
 * Schedulers#boundedElastic()}: a driver that blocks does not delay other engines, and a Netty driver, which colocates
 * with an event loop that calls it, distributes its connections over all event loops.
 */
public final class ConnectionAttempt extends Mono<Connection> {
    private final Supplier<? extends Publisher<? extends Connection>> driver;
    private final Duration timeout;
    private final Setting limit;
    private final Runnable onStart;
    private final Runnable onFailure;

    /**
     * Creates an attempt; nothing happens before it is subscribed.
     *
     * @param timeout zero means no limit
     * @param limit the setting of the timeout
     * @param onStart runs at each subscription
     * @param onFailure runs when an attempt ends without a connection
     */
    ConnectionAttempt(
            Supplier<? extends Publisher<? extends Connection>> driver,
            Duration timeout,
            Setting limit,
            Runnable onStart,
            Runnable onFailure) {
        this.driver = driver;
        this.timeout = timeout;
        this.limit = limit;
        this.onStart = onStart;
        this.onFailure = onFailure;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Connection> actual) {
        onStart.run();
        actual.onSubscribe(new Attempt(actual));
    }

    static void discard(Connection connection) {
        Mono.defer(() -> Mono.<Void>fromDirect(connection.close())).subscribe(null, closed -> {});
    }

    /** The subscriber of the driver and the subscription of the downstream subscriber. */
    private final class Attempt implements Subscription, CoreSubscriber<Connection> {
        private final CoreSubscriber<? super Connection> actual;
        private final AtomicBoolean requested = new AtomicBoolean();
        private final AtomicBoolean terminated = new AtomicBoolean();
        private final Disposable.Swap deadline = Disposables.swap();
        private volatile @Nullable Subscription upstream;

        Attempt(CoreSubscriber<? super Connection> actual) {
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            if (!requested.getAndSet(true) && !terminated.get()) {
                if (!timeout.isZero()) {
                    deadline.update(
                            Schedulers.parallel().schedule(this::timeOut, timeout.toMillis(), TimeUnit.MILLISECONDS));
                }
                Schedulers.boundedElastic().schedule(this::connect);
            }
        }

        private void connect() {
            try {
                driver.get().subscribe(this);
            } catch (Throwable e) {
                // Reactor treats a linkage error (incompatible versions of driver and database) as fatal; emit it.
                onError(e);
            }
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            if (terminated.get()) {
                subscription.cancel();
            } else {
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(Connection connection) {
            if (terminate()) {
                actual.onNext(connection);
                actual.onComplete();
            } else {
                discard(connection);
            }
        }

        @Override
        public void onError(Throwable error) {
            if (terminate()) {
                onFailure.run();
                actual.onError(error);
            }
        }

        @Override
        public void onComplete() {
            onError(new IllegalStateException("The driver completed without a connection"));
        }

        private void timeOut() {
            if (terminate()) {
                cancelUpstream();
                onFailure.run();
                actual.onError(
                        new R2dbcTimeoutException("No connection after " + timeout + ", see " + limit.optionName()));
            }
        }

        @Override
        public void cancel() {
            if (terminate()) {
                cancelUpstream();
                onFailure.run();
            }
        }

        private boolean terminate() {
            boolean first = !terminated.getAndSet(true);
            deadline.dispose();
            return first;
        }

        private void cancelUpstream() {
            Subscription subscription = upstream;
            if (subscription != null) {
                subscription.cancel();
            }
        }
    }
}
