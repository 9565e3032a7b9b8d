package dev.r2dbcengine;

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
 * A new connection of the driver, within a time. Exactly one of arrival, failure, timeout and cancel wins; a connection
 * that arrives after another has won is closed. The driver is subscribed without any subscriber's Context, and on an
 * elastic thread: one that blocks delays no other engine, and one that is colocated with its caller (Netty's) spreads
 * its connections over its event loops.
 */
final class ConnectionAttempt extends Mono<Connection> {
    private final Supplier<? extends Publisher<? extends Connection>> driver;
    private final Duration timeout;
    private final Runnable onStart;
    private final Runnable onFailure;

    /**
     * A connection to come.
     *
     * @param limit zero: no limit
     * @param started runs at each subscription
     * @param failed runs at the end of each that handed out no connection
     */
    ConnectionAttempt(
            Supplier<? extends Publisher<? extends Connection>> driver,
            Duration timeout,
            Runnable onStart,
            Runnable onFailure) {
        this.driver = driver;
        this.timeout = timeout;
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

    /** Between the driver, whose publisher it subscribes, and the one who wants the connection. */
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
                // Fatal to Reactor (a linkage error: driver and database of versions that do not fit) and yet an
                // answer.
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
                actual.onError(new R2dbcTimeoutException(
                        "No connection after " + timeout + ", see " + Setting.MAX_CREATE_CONNECTION_TIME.optionName()));
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
