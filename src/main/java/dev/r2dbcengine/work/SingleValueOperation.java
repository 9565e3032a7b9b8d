package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.UserCode;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * An operation whose subscriber receives at most one value, or an error. The value is emitted when the operation has
 * completed and the subscriber has requested it; completion and errors need no request.
 */
abstract class SingleValueOperation<T> extends QueuedOperation implements CoreSubscriber<T>, Subscription {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<SingleValueOperation> DELIVERY =
            AtomicIntegerFieldUpdater.newUpdater(SingleValueOperation.class, "delivery");

    private static final int OPEN = 0;
    private static final int REQUESTED = 1;
    private static final int READY = 2;
    private static final int DELIVERED = 3;

    final CoreSubscriber<? super T> actual;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int delivery;

    private volatile boolean cancelled;
    private @Nullable T value;
    private @Nullable Throwable failure;

    SingleValueOperation(CoreSubscriber<? super T> actual) {
        this.actual = actual;
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n) && !DELIVERY.compareAndSet(this, OPEN, REQUESTED)) {
            deliverIfReady();
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        deliverIfReady();
    }

    public final boolean isCancelled() {
        return cancelled;
    }

    final void value(T only) {
        value = only;
    }

    final boolean hasValue() {
        return value != null;
    }

    final void failure(@Nullable Throwable e) {
        failure = e;
    }

    final @Nullable Throwable failure() {
        return failure;
    }

    @Override
    final void deliver() {
        if (value == null || failure != null || cancelled || !DELIVERY.compareAndSet(this, OPEN, READY)) {
            delivery = DELIVERED;
            deliverOutcome();
        } else if (cancelled) {
            deliverIfReady();
        }
    }

    private void deliverIfReady() {
        if (DELIVERY.compareAndSet(this, READY, DELIVERED)) {
            deliverOutcome();
        }
    }

    private void deliverOutcome() {
        if (cancelled) {
            completedUnobserved(failure);
            Operators.onDiscard(value, currentContext());
        } else if (failure != null) {
            Operators.onDiscard(value, currentContext());
            UserCode.error(actual, failure);
        } else {
            emitValue();
        }
    }

    /* An exception of the subscriber must not reach the driver, nor keep the successor from starting. */
    private void emitValue() {
        Throwable thrown = value == null ? null : UserCode.next(actual, value);
        if (thrown != null) {
            UserCode.error(actual, thrown);
        } else {
            thrown = UserCode.complete(actual);
        }
        if (thrown != null) {
            subscriberThrew(thrown);
        }
    }

    /* The subscriber threw, and has received the exception as an error. */
    abstract void subscriberThrew(Throwable e);

    /* The operation completed after its subscriber had cancelled. */
    abstract void completedUnobserved(@Nullable Throwable failure);
}
