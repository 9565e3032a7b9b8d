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

/** The signal that a subscriber received. */
final class Answer extends BaseSubscriber<Object> {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A short wait that leaves the core to the awaited thread. */
    private static final Duration PAUSE = Duration.ofNanos(10_000);

    /** After one missing signal the race is lost; waiting for the others would take hours. */
    private static volatile boolean patient = true;

    private volatile @Nullable Object value;
    private volatile @Nullable Throwable error;
    private volatile boolean over;

    /** Resets the state for the next race. */
    static void patiently() {
        patient = true;
    }

    static Answer to(Publisher<?> question) {
        Answer answer = new Answer();
        question.subscribe(answer);
        return answer;
    }

    /** Waits until a condition holds, long enough for signals in flight. */
    @SuppressWarnings("ThreadPriorityCheck") // what is awaited may need this core
    static boolean comesTrue(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (!patient || System.nanoTime() - start > PATIENCE.toNanos()) {
                patient = false;
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    boolean came() {
        return comesTrue(() -> over);
    }

    @Nullable ConnectionPool pool() {
        return value instanceof ConnectionPool pool ? pool : null;
    }

    /** Creates a subscriber for a driver or a pool. */
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
        over = true;
    }
}
