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
 * A call that is never cancelled in flight, with an optional deadline. Its outcome is reported once: null on success, else
 * the failure, which is a {@link WorkTimeoutException} if the deadline passed first.
 */
final class TimedCall<O, C extends TimedCall.Caller<O>> implements CoreSubscriber<Object> {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<TimedCall, @Nullable Disposable> TIMER =
            AtomicReferenceFieldUpdater.newUpdater(TimedCall.class, Disposable.class, "timer");

    /* In place of a timer: the outcome was reported. */
    private static final Disposable ENDED = Disposables.disposed();

    private final C caller;
    private final Then<O, C> then;
    private volatile @Nullable Disposable timer;

    /** Makes calls on behalf of an owner. */
    interface Caller<O> {
        O owner();

        Context callContext();

        default WorkTimeoutException timedOut(String call, Duration deadline) {
            return WorkTimeoutException.ofCall(call, deadline);
        }
    }

    /** Makes the call. It receives the owner and the caller so that a lambda need not capture them. */
    @FunctionalInterface
    interface Call<O, C> {
        Publisher<?> of(O owner, C caller);
    }

    /** Continues after the call. */
    @FunctionalInterface
    interface Then<O, C> {
        void ended(O owner, C caller, @Nullable Throwable e);
    }

    private TimedCall(C caller, Then<O, C> then) {
        this.caller = caller;
        this.then = then;
    }

    /* Without a deadline. */
    static <O, C extends Caller<O>> void run(C caller, Call<O, C> call, Then<O, C> then) {
        new TimedCall<>(caller, then).run(call);
    }

    /* A deadline of zero disables it. A call that ends at once needs no timer. */
    static <O, C extends Caller<O>> void run(
            String name, Duration deadline, C caller, Call<O, C> call, Then<O, C> then) {
        TimedCall<O, C> running = new TimedCall<>(caller, then);
        running.run(call);
        if (running.timer == null && !deadline.isZero()) {
            running.limit(name, deadline);
        }
    }

    private void run(Call<O, C> call) {
        try {
            call.of(caller.owner(), caller).subscribe(this);
        } catch (Throwable e) {
            end(e);
        }
    }

    private void limit(String name, Duration deadline) {
        Disposable started = Schedulers.parallel()
                .schedule(() -> end(caller.timedOut(name, deadline)), deadline.toNanos(), TimeUnit.NANOSECONDS);
        if (!TIMER.compareAndSet(this, null, started)) {
            started.dispose();
        }
    }

    private void end(@Nullable Throwable e) {
        Disposable running = TIMER.getAndSet(this, ENDED);
        if (running == ENDED) {
            return;
        }
        if (running != null) {
            running.dispose();
        }
        then.ended(caller.owner(), caller, e);
    }

    @Override
    public Context currentContext() {
        return caller.callContext();
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
