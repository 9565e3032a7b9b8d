package dev.r2dbcengine.races;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;

/** A subscriber that records the signal that it receives. */
final class RecordingSubscriber extends BaseSubscriber<Object> {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** A short pause, in which the awaited thread can use the core. */
    private static final Duration PAUSE = Duration.ofNanos(10_000);

    /** False after a first missing signal: the race has failed, and further waits would take hours. */
    private static volatile boolean waiting = true;

    private volatile @Nullable Object value;
    private volatile @Nullable Throwable error;
    private volatile boolean terminated;

    /** Lets the next race wait for its signals again. */
    static void resetWaiting() {
        waiting = true;
    }

    /** Subscribes to a publisher with a new subscriber. */
    static RecordingSubscriber of(Publisher<?> source) {
        RecordingSubscriber subscriber = new RecordingSubscriber();
        source.subscribe(subscriber);
        return subscriber;
    }

    /** Waits until a condition holds, long enough for signals in flight. */
    @SuppressWarnings("ThreadPriorityCheck") // the awaited thread may need this core
    static boolean awaitTrue(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (!waiting || System.nanoTime() - start > TIMEOUT.toNanos()) {
                waiting = false;
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    /** Waits for completion, error or cancellation; returns whether it came in time. */
    boolean awaitTermination() {
        return awaitTrue(() -> terminated);
    }

    /** Returns the pool that was received; null for none. */
    @Nullable ConnectionPool pool() {
        return value instanceof ConnectionPool pool ? pool : null;
    }

    /** Returns the connection that was received. */
    Connection connection() {
        return (Connection) Objects.requireNonNull(value);
    }

    @Nullable Throwable error() {
        return error;
    }

    @Override
    protected void hookOnNext(Object next) {
        value = next;
    }

    @Override
    protected void hookOnError(Throwable cause) {
        error = cause;
    }

    @Override
    protected void hookFinally(SignalType end) {
        terminated = true;
    }
}
