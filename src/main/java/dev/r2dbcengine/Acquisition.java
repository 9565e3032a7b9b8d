package dev.r2dbcengine;

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
 * One borrow from a pool, within a time. Exactly one of arrival, failure, timeout and cancel wins; a connection that
 * arrives after another has won goes back. Only who has to wait pays for a timer.
 */
final class Acquisition implements CoreSubscriber<Connection>, Subscription {
    private static final AtomicIntegerFieldUpdater<Acquisition> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Acquisition.class, "state");

    private static final int NEW = 0;
    private static final int ASKED = 1;
    private static final int OVER = 2;

    private final ShutdownSafePool pool;
    private final Duration limit;
    private final CoreSubscriber<? super Connection> borrower;

    /** Where to look if this pool is shut; null once it has been, and for who has nowhere to look. */
    private @Nullable Mono<Connection> elsewhere;

    private volatile @Nullable Subscription upstream;
    private volatile @Nullable Disposable deadline;
    private volatile int state;

    Acquisition(
            ShutdownSafePool pool,
            Duration limit,
            CoreSubscriber<? super Connection> borrower,
            @Nullable Mono<Connection> elsewhere) {
        this.pool = pool;
        this.limit = limit;
        this.borrower = borrower;
        this.elsewhere = elsewhere;
    }

    @Override
    public Context currentContext() {
        return borrower.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        boolean first = upstream == null;
        upstream = subscription;
        if (first) {
            borrower.onSubscribe(this);
        } else if (state == OVER) {
            subscription.cancel();
        } else {
            subscription.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void request(long n) {
        ask();
        Subscription pooled = Objects.requireNonNull(upstream);
        if (!pool.request(pooled, n)) {
            pooled.cancel();
            onError(new PoolShutdownException());
        }
        if (state != OVER && !limit.isZero() && deadline == null) {
            limit();
        }
    }

    private void ask() {
        pool.asked();
        if (!STATE.compareAndSet(this, NEW, ASKED)) {
            pool.answered();
        }
    }

    private void limit() {
        Disposable started = Schedulers.parallel().schedule(this::timeOut, limit.toMillis(), TimeUnit.MILLISECONDS);
        deadline = started;
        if (state == OVER) {
            started.dispose();
        }
    }

    private void timeOut() {
        if (end()) {
            cancelUpstream();
            borrower.onError(new R2dbcTimeoutException("No connection of the pool was free within " + limit
                    + pool.getMetrics().map(Acquisition::told).orElse("") + ". See "
                    + Setting.MAX_ACQUIRE_TIME.optionName() + " and " + Setting.MAX_SIZE.optionName()
                    + ", and whether one is held for long or never given back"));
        }
    }

    private static String told(PoolMetrics pool) {
        return ": " + pool.acquiredSize() + " of " + pool.getMaxAllocatedSize() + " are borrowed, "
                + pool.pendingAcquireSize() + " more asked for";
    }

    @Override
    public void onNext(Connection connection) {
        if (end(connection)) {
            borrower.onNext(connection);
            borrower.onComplete();
        } else {
            ConnectionAttempt.discard(connection);
        }
    }

    @Override
    public void onError(Throwable error) {
        Mono<Connection> next = elsewhere;
        if (next != null && state != OVER && error instanceof PoolShutdownException) {
            elsewhere = null;
            if (STATE.compareAndSet(this, ASKED, NEW)) {
                pool.answered();
            }
            next.subscribe(this);
        } else if (end()) {
            borrower.onError(error);
        }
    }

    @Override
    public void onComplete() {
        if (end()) {
            borrower.onComplete();
        }
    }

    @Override
    public void cancel() {
        if (end()) {
            cancelUpstream();
        }
    }

    private void cancelUpstream() {
        Objects.requireNonNull(upstream).cancel();
    }

    /** Until the borrower has it, somebody is on the way to it: it is not forgotten. */
    private boolean end(Connection connection) {
        if (state != OVER) {
            pool.lent(connection);
        }
        return end();
    }

    private boolean end() {
        int was = STATE.getAndSet(this, OVER);
        boolean first = was != OVER;
        if (was == ASKED) {
            pool.answered();
        }
        Disposable started = deadline;
        if (started != null) {
            started.dispose();
        }
        return first;
    }
}
