package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.UserCode;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A turn whose subscriber gets at most one value, or a failure, when the turn is over and the value was asked for. */
abstract class SingleValueOperation<T> extends QueuedOperation implements CoreSubscriber<T>, Subscription {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<SingleValueOperation> DELIVERY =
            AtomicIntegerFieldUpdater.newUpdater(SingleValueOperation.class, "delivery");

    private static final int OPEN = 0;
    private static final int ASKED = 1;
    private static final int READY = 2;
    private static final int DELIVERED = 3;

    final CoreSubscriber<? super T> actual;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int delivery;

    private volatile boolean left;
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
        if (Operators.validate(n) && !DELIVERY.compareAndSet(this, OPEN, ASKED)) {
            tellIfReady();
        }
    }

    @Override
    public void cancel() {
        left = true;
        tellIfReady();
    }

    public final boolean isLeft() {
        return left;
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
        if (value == null || failure != null || left || !DELIVERY.compareAndSet(this, OPEN, READY)) {
            delivery = DELIVERED;
            tell();
        } else if (left) {
            tellIfReady();
        }
    }

    private void tellIfReady() {
        if (DELIVERY.compareAndSet(this, READY, DELIVERED)) {
            tell();
        }
    }

    private void tell() {
        if (left) {
            unseen(failure);
            Operators.onDiscard(value, currentContext());
        } else if (failure != null) {
            Operators.onDiscard(value, currentContext());
            UserCode.error(actual, failure);
        } else {
            emit();
        }
    }

    /* What the subscriber throws must not get into the driver, nor keep the next turn from its start. */
    private void emit() {
        Throwable thrown = value == null ? null : UserCode.next(actual, value);
        if (thrown != null) {
            UserCode.error(actual, thrown);
        } else {
            thrown = UserCode.complete(actual);
        }
        if (thrown != null) {
            thrown(thrown);
        }
    }

    /* The subscriber threw, and has got it as an error. */
    abstract void thrown(Throwable e);

    /* It is over, and its subscriber has gone. */
    abstract void unseen(@Nullable Throwable ended);
}
