package dev.r2dbcengine.work;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * One call of a transaction that is never cancelled in flight. Its end is told once: null when it went well, else what
 * went wrong, a {@link WorkTimeoutException} when the deadline passed first.
 */
final class TimedCall<C extends TimedCall.Caller> implements CoreSubscriber<Object> {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<TimedCall, @Nullable Disposable> TIMER =
            AtomicReferenceFieldUpdater.newUpdater(TimedCall.class, Disposable.class, "timer");

    /* In place of a timer: the end was told. */
    private static final Disposable OVER = Disposables.disposed();

    private final C caller;
    private final Then<C> then;
    private volatile @Nullable Disposable timer;

    /** Who makes a call, and is told of its end. */
    interface Caller {
        Transaction transaction();

        default WorkTimeoutException late(String what, Duration deadline) {
            return WorkTimeoutException.ofCall(what, deadline);
        }
    }

    /** Makes a call. It and what comes after it get what they need, so that a plain method will do and no object is made. */
    @FunctionalInterface
    interface Call<C> {
        Publisher<?> of(Transaction transaction, C caller);
    }

    /** Goes on after a call. */
    @FunctionalInterface
    interface Then<C> {
        void told(Transaction transaction, C caller, @Nullable Throwable e);
    }

    private TimedCall(C caller, Then<C> then) {
        this.caller = caller;
        this.then = then;
    }

    /* Without a deadline. */
    static <C extends Caller> void run(C caller, Call<C> call, Then<C> then) {
        new TimedCall<>(caller, then).run(call);
    }

    /* A deadline of zero is none. What ends at once costs no timer. */
    static <C extends Caller> void run(String what, Duration deadline, C caller, Call<C> call, Then<C> then) {
        TimedCall<C> step = new TimedCall<>(caller, then);
        step.run(call);
        if (step.timer == null && !deadline.isZero()) {
            step.limit(what, deadline);
        }
    }

    private void run(Call<C> call) {
        try {
            call.of(caller.transaction(), caller).subscribe(this);
        } catch (Throwable e) {
            end(e);
        }
    }

    private void limit(String what, Duration deadline) {
        Disposable started = Schedulers.parallel()
                .schedule(() -> end(caller.late(what, deadline)), deadline.toNanos(), TimeUnit.NANOSECONDS);
        if (!TIMER.compareAndSet(this, null, started)) {
            started.dispose();
        }
    }

    private void end(@Nullable Throwable e) {
        Disposable running = TIMER.getAndSet(this, OVER);
        if (running == OVER) {
            return;
        }
        if (running != null) {
            running.dispose();
        }
        then.told(caller.transaction(), caller, e);
    }

    @Override
    public Context currentContext() {
        return caller.transaction().context();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object ignored) {}

    @Override
    public void onError(Throwable e) {
        end(e);
    }

    @Override
    public void onComplete() {
        end(null);
    }
}
