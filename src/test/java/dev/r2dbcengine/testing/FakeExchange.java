package dev.r2dbcengine.testing;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Operators;

/**
 * One subscription of one call: emits the values of the answer as they are requested, at the time and with the outcome
 * of a {@link FakeBehaviour}. A drain loop serialises the signals, since release, request and cancellation come from
 * any thread.
 */
abstract class FakeExchange<T> implements Subscription {
    /** The end of an exchange. */
    enum End {
        COMPLETED,
        FAILED,
        CANCELLED
    }

    private final FakeDriver driver;
    private final Subscriber<? super T> subscriber;
    private final Call call;
    private final int connection;
    private final String detail;
    private final FakeBehaviour behaviour;
    /** Initially one: no signal before {@link #start} has called {@code onSubscribe}. */
    private final AtomicInteger wip = new AtomicInteger(1);

    private final AtomicLong requested = new AtomicLong();
    private volatile boolean cancelled;
    private volatile boolean released;
    private volatile boolean nothingLeft;
    private volatile @Nullable Throwable refusal;
    /* Only inside the drain loop. */
    private @Nullable Iterator<T> answer;
    private long emitted;
    private boolean held;
    private boolean holds;
    private boolean finished;

    FakeExchange(FakeDriver driver, Subscriber<? super T> subscriber, Call call, int connection, String detail) {
        this.driver = driver;
        this.subscriber = subscriber;
        this.call = call;
        this.connection = connection;
        this.detail = detail;
        this.behaviour = driver.behaviour(call, detail);
    }

    /** Begins the call; an error refuses it. */
    abstract @Nullable Throwable begin();

    /** Returns the values of the ordinary answer. */
    abstract Iterator<T> answer();

    /** Called before the subscriber receives the end. */
    abstract void ended(End end);

    /** Returns whether the answer waits for the answer to another call. */
    boolean waits() {
        return false;
    }

    /** Called when the other call is answered. */
    final void proceed() {
        drain();
    }

    /** Called when the subscriber requests more. */
    void onRequest(long count) {}

    final void start() {
        if (call != Call.ROWS) {
            driver.log().called(connection, call, detail);
        }
        refusal = begin();
        subscriber.onSubscribe(this);
        behaviour.subscribed();
        drainLoop();
    }

    final boolean isCancelled() {
        return cancelled;
    }

    /** Called at the time of the behaviour. */
    final void release() {
        released = true;
        drain();
    }

    /** Fails with this error, regardless of the behaviour. */
    final void refuse(Throwable cause) {
        refusal = cause;
        drain();
    }

    @Override
    public final void request(long count) {
        if (Operators.validate(count)) {
            requested.accumulateAndGet(count, Operators::addCap);
            onRequest(count);
            drain();
        }
    }

    @Override
    public final void cancel() {
        if (!cancelled) {
            cancelled = true;
            if (!nothingLeft) {
                driver.log().cancelled(connection, call, detail);
            }
            behaviour.cancelled(this);
            drain();
        }
    }

    private void drain() {
        if (wip.getAndIncrement() == 0) {
            drainLoop();
        }
    }

    private void drainLoop() {
        boolean due = false;
        int missed = wip.get();
        do {
            boolean more = true;
            while (more) {
                more = step();
            }
            due |= holds;
            holds = false;
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
        if (due) {
            // Not earlier, or this thread could emit the answer that another thread has to emit.
            behaviour.hold(this);
        }
    }

    /** Emits one signal; returns false if there is none to emit. */
    private boolean step() {
        if (finished) {
            return false;
        }
        if (cancelled && !behaviour.isIgnoringCancel()) {
            finish(End.CANCELLED);
            return false;
        }
        Throwable refused = refusal;
        if (refused != null) {
            return fail(refused);
        }
        return !waits() && !isHeldBack() && answerOne();
    }

    private boolean isHeldBack() {
        if (!held && emitted >= behaviour.rows()) {
            held = true;
            holds = true;
        }
        return held && !released;
    }

    private boolean answerOne() {
        Throwable error = behaviour.error();
        if (held && error != null) {
            return fail(error);
        }
        T value;
        try {
            Iterator<T> values = values();
            if ((held && behaviour.isEmpty()) || !values.hasNext()) {
                return complete();
            }
            if (emitted == requested.get()) {
                return false;
            }
            value = values.next();
            emitted++;
            nothingLeft = !values.hasNext() && (held || emitted < behaviour.rows());
        } catch (RuntimeException failure) {
            return fail(failure);
        }
        subscriber.onNext(value);
        return true;
    }

    private Iterator<T> values() {
        Iterator<T> values = answer;
        if (values == null) {
            values = answer();
            answer = values;
        }
        return values;
    }

    private boolean fail(Throwable cause) {
        finish(End.FAILED);
        subscriber.onError(cause);
        return false;
    }

    private boolean complete() {
        finish(End.COMPLETED);
        subscriber.onComplete();
        return false;
    }

    private void finish(End end) {
        finished = true;
        nothingLeft = true;
        ended(end);
    }
}
