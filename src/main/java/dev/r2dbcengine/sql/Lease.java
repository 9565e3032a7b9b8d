package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Connection;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * One borrowed connection and the one statement that runs on it: borrows, runs, gives back, and only then tells the end.
 *
 * <p>BORROWING goes to RUNNING when the connection arrives, or to LEFT when the subscriber leaves first: one of the two
 * wins, and who loses knows. From RUNNING on nothing upstream is ever cancelled. It is ENDED when the connection is back,
 * and DELIVERED when the end was told.
 */
final class Lease<T> implements CoreSubscriber<Connection>, Subscription {

    private static final Logger LOG = Loggers.getLogger(ConnectionSource.class);

    private static final int BORROWING = 0;
    private static final int RUNNING = 1;
    private static final int LEFT = 2;
    private static final int ENDED = 3;
    private static final int DELIVERED = 4;

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<Lease> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Lease.class, "state");

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<Lease> WANTED =
            AtomicLongFieldUpdater.newUpdater(Lease.class, "wanted");

    private final ConnectionSource source;
    private final Function<? super Connection, ? extends Publisher<? extends T>> work;
    private final CoreSubscriber<? super T> actual;
    private final boolean single;

    private volatile int state;
    private volatile long wanted;
    private volatile boolean left;
    /* While BORROWING the request for a connection, then null, then the statement. */
    private volatile @Nullable Subscription upstream;
    private @Nullable Connection connection;
    private @Nullable T value;
    private @Nullable Throwable failure;

    private Lease(
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
                new Lease<T>(source, work, actual, true).begin();
            }
        };
    }

    static <T> Flux<T> rows(
            ConnectionSource source, Function<? super Connection, ? extends Publisher<? extends T>> work) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                new Lease<T>(source, work, actual, false).begin();
            }
        };
    }

    private void begin() {
        Mono<Connection> borrowed;
        try {
            borrowed = source.borrow();
        } catch (Throwable e) {
            Operators.error(actual, e);
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
        connection = arrived;
        upstream = null;
        if (STATE.compareAndSet(this, BORROWING, RUNNING) && !left) {
            run(arrived);
        } else {
            giveBack(arrived, null);
        }
    }

    @Override
    public void onError(Throwable e) {
        if (STATE.compareAndSet(this, BORROWING, LEFT)) {
            actual.onError(e);
        }
    }

    @Override
    public void onComplete() {
        if (STATE.compareAndSet(this, BORROWING, LEFT)) {
            actual.onError(SourceErrors.noConnection());
        }
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
        }
    }

    private void run(Connection arrived) {
        try {
            work.apply(arrived).subscribe(new Run());
        } catch (Throwable e) {
            end(e);
        }
    }

    private void forward() {
        Subscription running = state == RUNNING ? upstream : null;
        if (running != null) {
            long n = WANTED.getAndSet(this, 0);
            if (n > 0) {
                running.request(n);
            }
        }
    }

    private void row(T row) {
        if (left) {
            Operators.onDiscard(row, currentContext());
        } else if (!single) {
            actual.onNext(row);
        } else if (value == null) {
            value = row;
        } else {
            failure = SourceErrors.moreThanOneValue();
            Operators.onDiscard(row, currentContext());
        }
    }

    private void end(@Nullable Throwable e) {
        Connection borrowed = connection;
        if (borrowed == null) {
            return;
        }
        connection = null;
        if (e != null) {
            failure = e;
        }
        giveBack(borrowed, failure);
    }

    private void giveBack(Connection borrowed, @Nullable Throwable ended) {
        try {
            source.giveBack(borrowed, Outcome.after(ended)).subscribe(new Return());
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

    private void back() {
        state = ENDED;
        deliver();
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
            actual.onError(ended);
            return;
        }
        if (last != null) {
            actual.onNext(last);
        }
        actual.onComplete();
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
            return Lease.this.currentContext();
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
            return Lease.this.currentContext();
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
