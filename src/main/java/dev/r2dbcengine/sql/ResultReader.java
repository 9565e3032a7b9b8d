package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Result;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Reads the results of one statement in order, each to completion. Never cancels a result in flight: after a cancel the
 * remaining values are read and discarded.
 */
abstract class ResultReader<T> implements CoreSubscriber<Result>, Subscription {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<ResultReader> OPEN =
            AtomicIntegerFieldUpdater.newUpdater(ResultReader.class, "open");

    private static final Class<?> WRAPPER =
            Exceptions.wrapSource(new IllegalStateException()).getClass();

    private final CoreSubscriber<? super T> actual;
    private final Execution<T> execution;

    /* Open publishers: the publisher of results, and the result being read. At zero the reader terminates. */
    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int open = 1;

    private @Nullable Inner inner;
    private @Nullable Subscription results;
    private long rows;
    private volatile boolean dropping;
    private @Nullable Throwable failure;

    /** Creates the reader of one execution. */
    @FunctionalInterface
    interface Factory<T> {
        ResultReader<T> of(CoreSubscriber<? super T> actual, Execution<T> execution);
    }

    ResultReader(CoreSubscriber<? super T> actual, Execution<T> execution) {
        this.actual = actual;
        this.execution = execution;
    }

    /* Null requests everything. */
    @Nullable DemandForwarder demand() {
        return null;
    }

    /* Selects the rows or the update count of a result. */
    abstract Publisher<?> read(Result result);

    /* Receives one value; not called after a failure. */
    abstract void accept(Object value);

    /* The value to emit on completion. */
    abstract @Nullable T last();

    final Dialect dialect() {
        return execution.dialect();
    }

    final String sql() {
        return execution.sql();
    }

    final void pass(T value) {
        actual.onNext(value);
    }

    final void count(long more) {
        rows += more;
    }

    final long counted() {
        return rows;
    }

    final boolean isDropping() {
        return dropping;
    }

    /* Emitted on completion, once the remaining values are read. */
    final void failed(Throwable e) {
        failure = e;
    }

    final boolean hasFailed() {
        return failure != null;
    }

    /* Called when the statement could not be sent. */
    final void fail(Throwable e) {
        if (results == null) {
            Throwable failed = UserCode.emittable(e);
            Operators.error(actual, failed);
            execution.failed(failed);
        } else {
            end(e);
        }
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
            resultFailed(e);
        }
    }

    /* A value that is already available needs no subscription if demand is unbounded. */
    private void read(Publisher<?> values) throws Exception {
        if (isUnbounded() && values instanceof Callable<?> known) {
            Object value = known.call();
            if (value != null) {
                take(value);
            }
            resultOver();
        } else {
            values.subscribe(inner());
        }
    }

    private Inner inner() {
        Inner reading = inner;
        if (reading == null) {
            reading = new Inner();
            inner = reading;
        }
        return reading;
    }

    private boolean isUnbounded() {
        DemandForwarder bounded = demand();
        return bounded == null || bounded.isUnbounded();
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
        DemandForwarder bounded = demand();
        if (bounded != null) {
            bounded.add(n);
        }
    }

    /* Discards the remaining values. */
    @Override
    public final void cancel() {
        dropping = true;
        request(Long.MAX_VALUE);
    }

    private void take(Object value) {
        if (dropping) {
            Operators.onDiscard(value, currentContext());
        } else {
            accept(value);
        }
    }

    private void resultFailed(Throwable e) {
        Subscription others = results;
        if (others != null) {
            others.cancel();
        }
        end(e);
    }

    private void resultOver() {
        execution.resultRead();
        closeOne();
        Subscription others = results;
        if (others != null) {
            others.request(1);
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
        Throwable ended = failure == null ? unwrapped(e) : failure;
        if (ended == null) {
            succeed(last());
        } else {
            execution.failed(ended);
            actual.onError(ended);
        }
    }

    /* PostgreSQL's driver emits an error between rows in Reactor's wrapper exception. */
    private static @Nullable Throwable unwrapped(@Nullable Throwable e) {
        Throwable cause = e == null ? null : e.getCause();
        return cause != null && WRAPPER.isInstance(e) ? cause : e == null ? null : UserCode.emittable(e);
    }

    private void succeed(@Nullable T last) {
        execution.finished(rows);
        if (last != null) {
            actual.onNext(last);
        }
        actual.onComplete();
    }

    /** Subscriber of one result. */
    private final class Inner implements CoreSubscriber<Object> {

        @Override
        public Context currentContext() {
            return ResultReader.this.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            DemandForwarder bounded = demand();
            if (bounded == null) {
                subscription.request(Long.MAX_VALUE);
            } else {
                bounded.reading(subscription, rows);
            }
        }

        @Override
        public void onNext(Object value) {
            take(value);
        }

        @Override
        public void onError(Throwable e) {
            resultFailed(e);
        }

        @Override
        public void onComplete() {
            resultOver();
        }
    }
}
