package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * Runs one statement on one connection of a {@link ConnectionSource}: acquires the connection, subscribes to the
 * statement, releases the connection, and only then signals the completion, the error or the single value. Rows of a
 * stream pass while the statement runs.
 *
 * <pre>
 * state         signal                                               next
 * ACQUIRING     the source emits the connection                      RUNNING
 *               the subscriber cancels: the acquisition is cancelled NOT_ACQUIRED
 *               the source fails or is empty: the error is emitted   NOT_ACQUIRED
 * RUNNING       the statement completes or fails                     RELEASING
 *               the grace time after a cancel has passed             TERMINATING
 * TERMINATING   the statement completes or fails, or has outlasted
 *               the close of its connection                          RELEASING, DISCARD
 * RELEASING     the source has released the connection, or failed to RELEASED
 * RELEASED      an error, a completion, a cancel, or demand for the
 *               single value                                         DELIVERED
 * </pre>
 *
 * <p>Each transition is a compare-and-set, so that of two competing signals exactly one wins. From RUNNING on nothing
 * upstream is cancelled: a cancel requests the remaining rows, which are discarded, and schedules the termination.
 * After TERMINATING the connection is discarded, since a late cancel request could hit the next statement on it. A
 * connection that arrives in NOT_ACQUIRED is released unused.
 */
final class ConnectionLease<T> implements CoreSubscriber<Connection>, Subscription {

    private static final Logger LOG = Loggers.getLogger(ConnectionSource.class);

    private static final int ACQUIRING = 0;
    private static final int RUNNING = 1;
    private static final int NOT_ACQUIRED = 2;
    private static final int TERMINATING = 3;
    private static final int RELEASING = 4;
    private static final int RELEASED = 5;
    private static final int DELIVERED = 6;

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<ConnectionLease> STATE =
            AtomicIntegerFieldUpdater.newUpdater(ConnectionLease.class, "state");

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<ConnectionLease> REQUESTED =
            AtomicLongFieldUpdater.newUpdater(ConnectionLease.class, "requested");

    private final ConnectionSource source;
    private final Function<? super Connection, ? extends Publisher<? extends T>> work;
    private final CoreSubscriber<? super T> actual;
    private final boolean single;

    private volatile int state;
    private volatile long requested;
    private volatile boolean cancelled;
    /* The acquisition in ACQUIRING, then null, then the subscription of the statement. */
    private volatile @Nullable Subscription upstream;
    private volatile @Nullable Disposable termination;
    private @Nullable Connection connection;
    private @Nullable T value;
    private @Nullable Throwable failure;

    private ConnectionLease(
            ConnectionSource source,
            Function<? super Connection, ? extends Publisher<? extends T>> work,
            CoreSubscriber<? super T> actual,
            boolean single) {
        this.source = source;
        this.work = work;
        this.actual = actual;
        this.single = single;
    }

    static <T> Mono<T> one(
            ConnectionSource source, Function<? super Connection, ? extends Publisher<? extends T>> work) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                new ConnectionLease<T>(source, work, actual, true).acquire();
            }
        };
    }

    static <T> Flux<T> rows(
            ConnectionSource source, Function<? super Connection, ? extends Publisher<? extends T>> work) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                new ConnectionLease<T>(source, work, actual, false).acquire();
            }
        };
    }

    private void acquire() {
        Mono<Connection> acquisition;
        try {
            acquisition = Objects.requireNonNull(source.borrow(), "ConnectionSource.borrow() returned null");
        } catch (Throwable e) {
            Operators.error(actual, UserCode.emittable(e));
            return;
        }
        acquisition.subscribe(this);
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        upstream = subscription;
        actual.onSubscribe(this);
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Connection acquired) {
        upstream = null;
        if (state == ACQUIRING) {
            connection = acquired;
        }
        if (!STATE.compareAndSet(this, ACQUIRING, RUNNING)) {
            release(acquired, Outcome.KEEP);
        } else if (cancelled) {
            statementEnded(null);
        } else {
            run(acquired);
        }
    }

    @Override
    public void onError(Throwable e) {
        if (STATE.compareAndSet(this, ACQUIRING, NOT_ACQUIRED)) {
            UserCode.error(actual, e);
        }
    }

    @Override
    public void onComplete() {
        onError(SourceErrors.noConnection());
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(REQUESTED, this, n);
            if (state == RELEASED) {
                deliver();
            } else if (!single) {
                forwardDemand();
            }
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        if (STATE.compareAndSet(this, ACQUIRING, NOT_ACQUIRED)) {
            Subscription request = upstream;
            if (request != null) {
                request.cancel();
            }
        } else {
            REQUESTED.set(this, Long.MAX_VALUE);
            forwardDemand();
            scheduleTermination();
        }
    }

    /* Schedules at most once, since a subscriber may cancel several times. */
    private void scheduleTermination() {
        if (state == RUNNING && termination == null) {
            termination =
                    Schedulers.parallel().schedule(this::terminate, graceTime().toNanos(), TimeUnit.NANOSECONDS);
            if (state != RUNNING) {
                stopTermination();
            }
        }
    }

    private void terminate() {
        Connection running = connection;
        if (running != null && STATE.compareAndSet(this, RUNNING, TERMINATING)) {
            LOG.warn(
                    "A statement was still running {} after its subscriber had cancelled it: terminating it",
                    graceTime());
            termination = StatementEnd.force(running, dialect(), source, graceTime())
                    .subscribe(null, null, () -> statementEnded(null));
            if (state != TERMINATING) {
                stopTermination();
            }
        }
    }

    private void stopTermination() {
        Disposable running = termination;
        if (running != null) {
            running.dispose();
        }
    }

    private Duration graceTime() {
        return work instanceof Execution<?> execution ? execution.graceTime() : StatementLimits.GRACE;
    }

    /* ANSI has no cancel request, so a statement of other code is terminated by closing its connection. */
    private Dialect dialect() {
        return work instanceof Execution<?> execution ? execution.dialect() : Dialect.ANSI;
    }

    private void run(Connection acquired) {
        try {
            work.apply(acquired).subscribe(new StatementSubscriber());
        } catch (Throwable e) {
            statementEnded(e);
        }
    }

    private void forwardDemand() {
        Subscription running = state == RUNNING || state == TERMINATING ? upstream : null;
        if (running != null) {
            long n = REQUESTED.getAndSet(this, 0);
            if (n > 0) {
                running.request(n);
            }
        }
    }

    private void row(T row) {
        if (cancelled || state != RUNNING) {
            Operators.onDiscard(row, currentContext());
        } else if (!single) {
            emit(row);
        } else if (value == null) {
            value = row;
        } else {
            failure = SourceErrors.moreThanOneValue();
            Operators.onDiscard(row, currentContext());
        }
    }

    /* An exception of the subscriber must not reach the driver. */
    private void emit(T row) {
        Throwable thrown = UserCode.next(actual, row);
        if (thrown != null) {
            cancel();
            UserCode.error(actual, thrown);
        }
    }

    private void statementEnded(@Nullable Throwable e) {
        boolean kept = STATE.compareAndSet(this, RUNNING, RELEASING);
        if (kept || STATE.compareAndSet(this, TERMINATING, RELEASING)) {
            stopTermination();
            if (e != null) {
                failure = e;
            }
            release(Objects.requireNonNull(connection), kept ? Outcome.after(failure, dialect()) : Outcome.DISCARD);
        }
    }

    private void release(Connection acquired, Outcome outcome) {
        try {
            source.giveBack(acquired, outcome).subscribe(new ReleaseSubscriber());
        } catch (Throwable e) {
            releaseFailed(e);
        }
    }

    private void releaseFailed(Throwable e) {
        Throwable primary = failure;
        if (primary != null && !cancelled) {
            Exceptions.addSuppressed(primary, e);
        } else {
            LOG.warn("A connection could not be released: {}", Dialect.describe(e));
        }
        released();
    }

    /* Does nothing for a connection that arrived after a cancel: the state is NOT_ACQUIRED. */
    private void released() {
        if (STATE.compareAndSet(this, RELEASING, RELEASED)) {
            deliver();
        }
    }

    private void deliver() {
        if ((value == null || failure != null || cancelled || requested > 0)
                && STATE.compareAndSet(this, RELEASED, DELIVERED)) {
            if (cancelled) {
                discard(failure);
            } else {
                signal(value, failure);
            }
        }
    }

    private void signal(@Nullable T last, @Nullable Throwable error) {
        if (error != null) {
            Operators.onDiscard(last, currentContext());
            UserCode.error(actual, error);
            return;
        }
        Throwable thrown = last == null ? null : UserCode.next(actual, last);
        if (thrown == null) {
            UserCode.complete(actual);
        } else {
            UserCode.error(actual, thrown);
        }
    }

    private void discard(@Nullable Throwable error) {
        if (error != null) {
            LOG.warn("A statement failed after its subscriber had cancelled: {}", Dialect.describe(error));
        }
        Operators.onDiscard(value, currentContext());
    }

    /** Subscriber of the release. */
    private final class ReleaseSubscriber implements CoreSubscriber<Void> {

        @Override
        public Context currentContext() {
            return ConnectionLease.this.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Void nothing) {}

        @Override
        public void onError(Throwable e) {
            releaseFailed(e);
        }

        @Override
        public void onComplete() {
            released();
        }
    }

    /** Subscriber of the statement. */
    private final class StatementSubscriber implements CoreSubscriber<T> {

        @Override
        public Context currentContext() {
            return ConnectionLease.this.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            if (single) {
                subscription.request(Long.MAX_VALUE);
            } else {
                forwardDemand();
            }
        }

        @Override
        public void onNext(T row) {
            row(row);
        }

        @Override
        public void onError(Throwable e) {
            statementEnded(e);
        }

        @Override
        public void onComplete() {
            statementEnded(null);
        }
    }
}
