package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.internal.url.Setting;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.pool.PoolShutdownException;
import reactor.util.context.Context;

/**
 * One acquisition of a pooled connection, with a timeout. The first of connection, error, timeout and cancellation
 * wins; a connection that the pool emits later is released. A timer is started only if the pool does not emit
 * immediately.
 *
 * <pre>
 * state       next        signal
 * NEW         REQUESTED   request(n): counts as pending for the shutdown of the pool
 * REQUESTED   NEW         PoolShutdownException with a fallback: subscribes to the fallback
 * any         TERMINATED  connection, error, completion, timeout or cancel
 * </pre>
 */
final class Acquisition implements CoreSubscriber<Connection>, Subscription {
    private static final AtomicIntegerFieldUpdater<Acquisition> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Acquisition.class, "state");

    private static final int NEW = 0;
    private static final int REQUESTED = 1;
    private static final int TERMINATED = 2;

    private final ShutdownSafePool pool;
    private final Duration timeout;
    private final CoreSubscriber<? super Connection> actual;

    /** The source to use if this pool is shut down; null if there is none, or once it was used. */
    private @Nullable Mono<Connection> fallback;

    private volatile @Nullable Subscription upstream;
    private volatile @Nullable Disposable deadline;
    private volatile int state;

    Acquisition(
            ShutdownSafePool pool,
            Duration timeout,
            CoreSubscriber<? super Connection> actual,
            @Nullable Mono<Connection> fallback) {
        this.pool = pool;
        this.timeout = timeout;
        this.actual = actual;
        this.fallback = fallback;
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        boolean first = upstream == null;
        upstream = subscription;
        if (first) {
            actual.onSubscribe(this);
        } else if (state == TERMINATED) {
            subscription.cancel();
        } else {
            subscription.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void request(long n) {
        markRequested();
        Subscription pooled = Objects.requireNonNull(upstream);
        if (!pool.request(pooled, n)) {
            pooled.cancel();
            onError(new PoolShutdownException());
        }
        if (state != TERMINATED && !timeout.isZero() && deadline == null) {
            startTimeout();
        }
    }

    private void markRequested() {
        pool.acquisitionStarted();
        if (!STATE.compareAndSet(this, NEW, REQUESTED)) {
            pool.acquisitionEnded();
        }
    }

    private void startTimeout() {
        Disposable started = Schedulers.parallel().schedule(this::timeOut, timeout.toMillis(), TimeUnit.MILLISECONDS);
        deadline = started;
        if (state == TERMINATED) {
            started.dispose();
        }
    }

    private void timeOut() {
        if (terminate()) {
            cancelUpstream();
            actual.onError(new R2dbcTimeoutException("No connection of the pool was free within " + timeout
                    + pool.getMetrics().map(Acquisition::describe).orElse("") + ". See "
                    + Setting.MAX_ACQUIRE_TIME.optionName() + " and " + Setting.MAX_SIZE.optionName()
                    + ", and check whether a connection is held for long or never released"));
        }
    }

    private static String describe(PoolMetrics pool) {
        return ": " + pool.acquiredSize() + " of " + pool.getMaxAllocatedSize() + " are in use, "
                + pool.pendingAcquireSize() + " acquisitions pending";
    }

    @Override
    public void onNext(Connection connection) {
        if (terminate(connection)) {
            actual.onNext(connection);
            actual.onComplete();
        } else {
            ConnectionAttempt.discard(connection);
        }
    }

    @Override
    public void onError(Throwable error) {
        Mono<Connection> next = fallback;
        if (next != null && state != TERMINATED && error instanceof PoolShutdownException) {
            fallback = null;
            if (STATE.compareAndSet(this, REQUESTED, NEW)) {
                pool.acquisitionEnded();
            }
            next.subscribe(this);
        } else if (terminate()) {
            actual.onError(error);
        }
    }

    @Override
    public void onComplete() {
        if (terminate()) {
            actual.onComplete();
        }
    }

    @Override
    public void cancel() {
        if (terminate()) {
            cancelUpstream();
        }
    }

    private void cancelUpstream() {
        Objects.requireNonNull(upstream).cancel();
    }

    /** Marks the connection as lent before the acquisition ends, so that a shutdown does not close it as forgotten. */
    private boolean terminate(Connection connection) {
        if (state != TERMINATED) {
            pool.lent(connection);
        }
        return terminate();
    }

    private boolean terminate() {
        int previous = STATE.getAndSet(this, TERMINATED);
        boolean first = previous != TERMINATED;
        if (previous == REQUESTED) {
            pool.acquisitionEnded();
        }
        Disposable started = deadline;
        if (started != null) {
            started.dispose();
        }
        return first;
    }
}
