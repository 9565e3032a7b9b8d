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

/** What a subscriber was told. */
final class Answer extends BaseSubscriber<Object> {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Short, and yet leaves the core to the thread that is waited for. */
    private static final Duration PAUSE = Duration.ofNanos(10_000);

    /** Once one answer has failed to come, the race is lost: the others are not waited for, or it would take hours. */
    private static volatile boolean patient = true;

    private volatile @Nullable Object value;
    private volatile @Nullable Throwable error;
    private volatile boolean over;

    /** For a race of its own, whatever became of the one before. */
    static void patiently() {
        patient = true;
    }

    static Answer to(Publisher<?> question) {
        Answer answer = new Answer();
        question.subscribe(answer);
        return answer;
    }

    /** Becomes true, in a time in which whatever is on its way arrives. */
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

    /** For one that was asked of a driver or a pool. */
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
