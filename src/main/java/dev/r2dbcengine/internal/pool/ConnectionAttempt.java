package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.internal.url.Setting;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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
 * A publisher that creates a connection of the driver and sets it up, with a timeout. The first of success, error, timeout
 * and cancellation wins; in each other case than success, the connection is closed once, even if the driver emits it later.
 *
 * <p>The driver is subscribed without the Context of any subscriber, on a thread of {@link
 * Schedulers#boundedElastic()}: a driver that blocks does not delay other engines, and a Netty driver, which colocates
 * with an event loop that calls it, distributes its connections over all event loops.
 */
public final class ConnectionAttempt extends Mono<Connection> {
    private final Supplier<? extends Publisher<Created>> driver;
    private final Duration timeout;
    private final Setting limit;
    private final Runnable onStart;
    private final Runnable onFailure;

    /**
     * Creates an attempt; nothing happens before it is subscribed.
     *
     * @param driver emits the connection. Its operators must not drop a value after their cancellation, as {@code then}
     *     does, since the connection would stay open
     * @param timeout zero means no limit
     * @param limit the setting of the timeout
     * @param onStart runs at each subscription
     * @param onFailure runs when an attempt ends without a connection
     */
    ConnectionAttempt(
            Supplier<? extends Publisher<Created>> driver,
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

    /**
     * A new connection of the driver.
     *
     * @param setUp completes when the connection can be used
     */
    record Created(Connection connection, Mono<Void> setUp) {}

    @Override
    public void subscribe(CoreSubscriber<? super Connection> actual) {
        onStart.run();
        actual.onSubscribe(new Attempt(actual));
    }

    static void discard(Connection connection) {
        Mono.defer(() -> Mono.<Void>fromDirect(connection.close())).subscribe(null, closed -> {});
    }

    /** The subscriber of the driver and the subscription of the downstream subscriber. */
    private final class Attempt implements Subscription, CoreSubscriber<Created> {
        private final CoreSubscriber<? super Connection> actual;
        private final AtomicBoolean requested = new AtomicBoolean();
        private final AtomicBoolean terminated = new AtomicBoolean();
        private final Disposable.Swap deadline = Disposables.swap();
        private final Disposable.Swap settingUp = Disposables.swap();

        /** The connection from its arrival to the end of the attempt. The caller that removes it emits or closes it. */
        private final AtomicReference<@Nullable Connection> created = new AtomicReference<>();

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
        public void onNext(Created next) {
            created.set(next.connection());
            if (terminated.get()) {
                discardCreated();
            } else {
                settingUp.update(next.setUp().subscribe(null, this::fail, this::succeed));
            }
        }

        private void succeed() {
            if (terminate()) {
                actual.onNext(Objects.requireNonNull(created.getAndSet(null)));
                actual.onComplete();
            }
        }

        private void fail(Throwable error) {
            if (terminate()) {
                abandon();
                actual.onError(error);
            }
        }

        @Override
        public void onError(Throwable error) {
            fail(error);
        }

        @Override
        public void onComplete() {
            if (created.get() == null) {
                fail(new IllegalStateException("The driver completed without a connection"));
            }
        }

        private void timeOut() {
            fail(new R2dbcTimeoutException("No connection after " + timeout + ", see " + limit.optionName()));
        }

        @Override
        public void cancel() {
            if (terminate()) {
                abandon();
            }
        }

        private boolean terminate() {
            boolean first = !terminated.getAndSet(true);
            deadline.dispose();
            return first;
        }

        private void abandon() {
            Subscription subscription = upstream;
            if (subscription != null) {
                subscription.cancel();
            }
            settingUp.dispose();
            discardCreated();
            onFailure.run();
        }

        private void discardCreated() {
            Connection connection = created.getAndSet(null);
            if (connection != null) {
                discard(connection);
            }
        }
    }
}
