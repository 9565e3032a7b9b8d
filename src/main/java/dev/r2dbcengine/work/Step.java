package dev.r2dbcengine.work;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * One call that is never cancelled in flight. Its end is told once: null when it went well, else what went wrong, a {@link
 * WorkTimeoutException} when the deadline passed first.
 */
final class Step implements CoreSubscriber<Object> {

    private static final AtomicIntegerFieldUpdater<Step> OVER =
            AtomicIntegerFieldUpdater.newUpdater(Step.class, "over");

    private final Context context;
    private final Consumer<? super @Nullable Throwable> then;
    private volatile @Nullable Disposable timer;
    private volatile int over;

    private Step(Context context, Consumer<? super @Nullable Throwable> then) {
        this.context = context;
        this.then = then;
    }

    /* Without a deadline. */
    static void run(
            Context context, Supplier<? extends Publisher<?>> call, Consumer<? super @Nullable Throwable> then) {
        new Step(context, then).run(call);
    }

    /* A deadline of zero is none. What ends at once costs no timer. */
    static void run(
            String what,
            Duration deadline,
            Context context,
            Supplier<? extends Publisher<?>> call,
            Consumer<? super @Nullable Throwable> then) {
        Step step = new Step(context, then);
        step.run(call);
        if (step.over == 0 && !deadline.isZero()) {
            step.limit(what, deadline);
        }
    }

    private void run(Supplier<? extends Publisher<?>> call) {
        try {
            call.get().subscribe(this);
        } catch (Throwable e) {
            end(e);
        }
    }

    private void limit(String what, Duration deadline) {
        Disposable started = Schedulers.parallel()
                .schedule(
                        () -> end(WorkTimeoutException.ofCall(what, deadline)),
                        deadline.toNanos(),
                        TimeUnit.NANOSECONDS);
        timer = started;
        if (over != 0) {
            started.dispose();
        }
    }

    private void end(@Nullable Throwable e) {
        if (OVER.compareAndSet(this, 0, 1)) {
            Disposable running = timer;
            if (running != null) {
                running.dispose();
            }
            then.accept(e);
        }
    }

    @Override
    public Context currentContext() {
        return context;
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
