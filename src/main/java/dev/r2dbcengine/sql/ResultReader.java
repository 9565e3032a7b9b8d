package dev.r2dbcengine.sql;

import io.r2dbc.spi.Result;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Reads the results of one statement, one after the other and each to its end. It never cancels a result in flight: what
 * is no longer wanted is read and dropped.
 */
abstract class ResultReader<T> implements CoreSubscriber<Result>, Subscription {

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<ResultReader> WANTED =
            AtomicLongFieldUpdater.newUpdater(ResultReader.class, "wanted");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<ResultReader> FORWARDING =
            AtomicIntegerFieldUpdater.newUpdater(ResultReader.class, "forwarding");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<ResultReader> OPEN =
            AtomicIntegerFieldUpdater.newUpdater(ResultReader.class, "open");

    private final CoreSubscriber<? super T> actual;
    private final SqlExecution execution;

    /* All that was ever asked for; the results themselves, and each one that is being read; a guard of forward(). */
    private volatile long wanted;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int open = 1;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int forwarding;

    /* The result that is being read; and, only under the guard of forward(), the one that was asked last, and for what. */
    private volatile @Nullable Subscription reading;
    private @Nullable Subscription asked;
    private long askedFor;

    private final Inner inner = new Inner();
    private @Nullable Subscription results;
    private long rows;
    private volatile boolean dropping;
    private @Nullable Throwable failure;

    /** Makes the reader of one execution. */
    @FunctionalInterface
    interface Factory<T> {
        ResultReader<T> of(CoreSubscriber<? super T> actual, SqlExecution execution);
    }

    ResultReader(CoreSubscriber<? super T> actual, SqlExecution execution) {
        this.actual = actual;
        this.execution = execution;
    }

    /* What is read of a result. */
    abstract Publisher<?> read(Result result);

    /* One thing that was read; not called any more once something failed. */
    abstract void accept(Object value);

    /* What is emitted at the end. */
    abstract @Nullable T last();

    final SqlExecution execution() {
        return execution;
    }

    final void pass(T value) {
        actual.onNext(value);
    }

    final void count(long more) {
        rows += more;
    }

    final boolean isDropping() {
        return dropping;
    }

    /* Fails at the end: what is still to come is read and dropped first. */
    final void failAtEnd(Throwable e) {
        failure = e;
        drop();
    }

    /* Reads everything, as fast as it comes. */
    final void readAll() {
        WANTED.set(this, Long.MAX_VALUE);
        forward();
    }

    /* The statement could not be sent. */
    final void fail(Throwable e) {
        if (results == null) {
            Operators.error(actual, e);
            execution.failed(e);
        } else {
            end(e);
        }
    }

    private void drop() {
        dropping = true;
        readAll();
    }

    @Override
    public final Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public final void onSubscribe(Subscription subscription) {
        results = subscription;
        actual.onSubscribe(this);
        subscription.request(1);
    }

    @Override
    public final void onNext(Result result) {
        OPEN.incrementAndGet(this);
        try {
            read(read(result));
        } catch (Throwable e) {
            inner.onError(e);
        }
    }

    /* What is there already needs no subscription, when everything is wanted anyway. */
    private void read(Publisher<?> values) throws Exception {
        if (wanted == Long.MAX_VALUE && values instanceof Callable<?> known) {
            Object value = known.call();
            if (value != null) {
                inner.onNext(value);
            }
            inner.onComplete();
        } else {
            values.subscribe(inner);
        }
    }

    @Override
    public final void onError(Throwable e) {
        end(e);
    }

    @Override
    public final void onComplete() {
        closeOne();
    }

    @Override
    public final void request(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(WANTED, this, n);
            forward();
        }
    }

    @Override
    public final void cancel() {
        drop();
    }

    private void forward() {
        if (FORWARDING.getAndIncrement(this) != 0) {
            return;
        }
        int missed = 1;
        do {
            Subscription result = reading;
            if (result != null) {
                ask(result, wanted);
            }
            missed = FORWARDING.addAndGet(this, -missed);
        } while (missed != 0);
    }

    /* A result that was not asked yet has given nothing, so what was counted by now came from those before it. */
    private void ask(Subscription result, long all) {
        if (result != asked) {
            asked = result;
            askedFor = rows;
        }
        long before = askedFor;
        if (before < all) {
            askedFor = all;
            result.request(all == Long.MAX_VALUE ? all : all - before);
        }
    }

    private void closeOne() {
        if (OPEN.decrementAndGet(this) == 0) {
            end(null);
        }
    }

    private void end(@Nullable Throwable e) {
        if (OPEN.getAndSet(this, Integer.MIN_VALUE / 2) < 0) {
            return;
        }
        Throwable ended = failure == null ? e : failure;
        if (ended == null) {
            succeed(last());
        } else {
            execution.failed(ended);
            actual.onError(ended);
        }
    }

    private void succeed(@Nullable T last) {
        execution.finished(rows);
        if (last != null) {
            actual.onNext(last);
        }
        actual.onComplete();
    }

    /** What one result signals. */
    private final class Inner implements CoreSubscriber<Object> {

        @Override
        public Context currentContext() {
            return ResultReader.this.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            reading = subscription;
            forward();
        }

        @Override
        public void onNext(Object value) {
            if (!dropping) {
                accept(value);
            }
        }

        @Override
        public void onError(Throwable e) {
            Subscription others = results;
            if (others != null) {
                others.cancel();
            }
            end(e);
        }

        @Override
        public void onComplete() {
            reading = null;
            closeOne();
            Subscription others = results;
            if (others != null) {
                others.request(1);
            }
        }
    }
}
