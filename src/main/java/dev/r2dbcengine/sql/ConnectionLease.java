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
 * One borrowed connection and the one statement that runs on it: borrows, runs, gives back, and only then tells the end.
 *
 * <p>The states, and who moves them:
 *
 * <ul>
 *   <li>BORROWING to RUNNING: the connection arrives. To LEFT: the subscriber cancels first. One of the two wins. From
 *       RUNNING on nothing upstream is cancelled.
 *   <li>RUNNING to FORCED: the grace time after a cancel is over. The statement is ended from outside.
 *   <li>RUNNING or FORCED to RETURNING: the statement has ended, or has survived even the close of its connection. After
 *       FORCED the connection is discarded, since the request to end the statement may meet the next one.
 *   <li>RETURNING to ENDED: the connection is back. To DELIVERED: the end was emitted.
 * </ul>
 */
final class ConnectionLease<T> implements CoreSubscriber<Connection>, Subscription {

    private static final Logger LOG = Loggers.getLogger(ConnectionSource.class);

    private static final int BORROWING = 0;
    private static final int RUNNING = 1;
    private static final int LEFT = 2;
    private static final int FORCED = 3;
    private static final int RETURNING = 4;
    private static final int ENDED = 5;
    private static final int DELIVERED = 6;

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<ConnectionLease> STATE =
            AtomicIntegerFieldUpdater.newUpdater(ConnectionLease.class, "state");

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<ConnectionLease> WANTED =
            AtomicLongFieldUpdater.newUpdater(ConnectionLease.class, "wanted");

    private final ConnectionSource source;
    private final Function<? super Connection, ? extends Publisher<? extends T>> work;
    private final CoreSubscriber<? super T> actual;
    private final boolean single;

    private volatile int state;
    private volatile long wanted;
    private volatile boolean left;
    /* While BORROWING the request for a connection, then null, then the statement. */
    private volatile @Nullable Subscription upstream;
    private volatile @Nullable Disposable forcing;
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
                new ConnectionLease<T>(source, work, actual, true).begin();
            }
        };
    }

    static <T> Flux<T> rows(
            ConnectionSource source, Function<? super Connection, ? extends Publisher<? extends T>> work) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                new ConnectionLease<T>(source, work, actual, false).begin();
            }
        };
    }

    private void begin() {
        Mono<Connection> borrowed;
        try {
            borrowed = Objects.requireNonNull(source.borrow(), "ConnectionSource.borrow() returned null");
        } catch (Throwable e) {
            Operators.error(actual, UserCode.emittable(e));
            return;
        }
        borrowed.subscribe(this);
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
    public void onNext(Connection arrived) {
        upstream = null;
        if (state == BORROWING) {
            connection = arrived;
        }
        if (!STATE.compareAndSet(this, BORROWING, RUNNING)) {
            giveBack(arrived, Outcome.KEEP);
        } else if (left) {
            end(null);
        } else {
            run(arrived);
        }
    }

    @Override
    public void onError(Throwable e) {
        if (STATE.compareAndSet(this, BORROWING, LEFT)) {
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
            Operators.addCap(WANTED, this, n);
            if (state == ENDED) {
                deliver();
            } else if (!single) {
                forward();
            }
        }
    }

    @Override
    public void cancel() {
        left = true;
        if (STATE.compareAndSet(this, BORROWING, LEFT)) {
            Subscription request = upstream;
            if (request != null) {
                request.cancel();
            }
        } else {
            WANTED.set(this, Long.MAX_VALUE);
            forward();
            forceLater();
        }
    }

    /* At most once: a subscriber may cancel several times. */
    private void forceLater() {
        if (state == RUNNING && forcing == null) {
            forcing = Schedulers.parallel().schedule(this::force, graceTime().toNanos(), TimeUnit.NANOSECONDS);
            if (state != RUNNING) {
                stopForcing();
            }
        }
    }

    private void force() {
        Connection running = connection;
        if (running != null && STATE.compareAndSet(this, RUNNING, FORCED)) {
            LOG.warn(
                    "A statement was still running {} after its subscriber had cancelled it: it is ended", graceTime());
            forcing =
                    StatementEnd.force(running, dialect(), source, graceTime()).subscribe(null, null, () -> end(null));
            if (state != FORCED) {
                stopForcing();
            }
        }
    }

    private void stopForcing() {
        Disposable running = forcing;
        if (running != null) {
            running.dispose();
        }
    }

    private Duration graceTime() {
        return work instanceof Execution<?> execution ? execution.graceTime() : StatementLimits.GRACE;
    }

    /* Of a statement that is not of this library nothing is known: its connection is closed. */
    private Dialect dialect() {
        return work instanceof Execution<?> execution ? execution.dialect() : Dialect.ANSI;
    }

    private void run(Connection arrived) {
        try {
            work.apply(arrived).subscribe(new Run());
        } catch (Throwable e) {
            end(e);
        }
    }

    private void forward() {
        Subscription running = state == RUNNING || state == FORCED ? upstream : null;
        if (running != null) {
            long n = WANTED.getAndSet(this, 0);
            if (n > 0) {
                running.request(n);
            }
        }
    }

    private void row(T row) {
        if (left || state != RUNNING) {
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

    /* What the subscriber throws must not get into the driver. */
    private void emit(T row) {
        Throwable thrown = UserCode.next(actual, row);
        if (thrown != null) {
            cancel();
            UserCode.error(actual, thrown);
        }
    }

    private void end(@Nullable Throwable e) {
        boolean kept = STATE.compareAndSet(this, RUNNING, RETURNING);
        if (kept || STATE.compareAndSet(this, FORCED, RETURNING)) {
            stopForcing();
            if (e != null) {
                failure = e;
            }
            giveBack(Objects.requireNonNull(connection), kept ? Outcome.after(failure, dialect()) : Outcome.DISCARD);
        }
    }

    private void giveBack(Connection borrowed, Outcome outcome) {
        try {
            source.giveBack(borrowed, outcome).subscribe(new Return());
        } catch (Throwable e) {
            notGivenBack(e);
        }
    }

    private void notGivenBack(Throwable e) {
        Throwable primary = failure;
        if (primary != null && !left) {
            Exceptions.addSuppressed(primary, e);
        } else {
            LOG.warn("A connection could not be given back: {}", Dialect.describe(e));
        }
        back();
    }

    /* A connection that arrived after a cancel changes nothing. */
    private void back() {
        if (STATE.compareAndSet(this, RETURNING, ENDED)) {
            deliver();
        }
    }

    private void deliver() {
        if ((value == null || failure != null || left || wanted > 0) && STATE.compareAndSet(this, ENDED, DELIVERED)) {
            if (left) {
                discard(failure);
            } else {
                tell(value, failure);
            }
        }
    }

    private void tell(@Nullable T last, @Nullable Throwable ended) {
        if (ended != null) {
            Operators.onDiscard(last, currentContext());
            UserCode.error(actual, ended);
            return;
        }
        Throwable thrown = last == null ? null : UserCode.next(actual, last);
        if (thrown == null) {
            UserCode.complete(actual);
        } else {
            UserCode.error(actual, thrown);
        }
    }

    private void discard(@Nullable Throwable ended) {
        if (ended != null) {
            LOG.warn("A statement failed after its subscriber had left: {}", Dialect.describe(ended));
        }
        Operators.onDiscard(value, currentContext());
    }

    /** What the return of the connection signals. */
    private final class Return implements CoreSubscriber<Void> {

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
            notGivenBack(e);
        }

        @Override
        public void onComplete() {
            back();
        }
    }

    /** What the statement signals. */
    private final class Run implements CoreSubscriber<T> {

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
                forward();
            }
        }

        @Override
        public void onNext(T row) {
            row(row);
        }

        @Override
        public void onError(Throwable e) {
            end(e);
        }

        @Override
        public void onComplete() {
            end(null);
        }
    }
}
