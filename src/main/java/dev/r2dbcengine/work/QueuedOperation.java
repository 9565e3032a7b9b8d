package dev.r2dbcengine.work;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One turn at a {@link OperationQueue}: a statement, a savepoint with all that happens in it, or the end of a unit.
 *
 * <p>Each turn knows the one that follows it, and nobody else sets that: so whoever ends a turn, or follows one, learns
 * from one atomic operation who goes on. A turn that ends gives way before it delivers, so that a statement subscribed
 * from the delivery finds the gate free, and starts the next one after that.
 */
abstract class QueuedOperation {

    private static final AtomicReferenceFieldUpdater<QueuedOperation, @Nullable Object> NEXT =
            AtomicReferenceFieldUpdater.newUpdater(QueuedOperation.class, Object.class, "next");

    private static final AtomicIntegerFieldUpdater<QueuedOperation> PROGRESS =
            AtomicIntegerFieldUpdater.newUpdater(QueuedOperation.class, "progress");

    /* In place of a next turn: whoever comes may run; whoever comes is refused. */
    private static final Object PASSED = "passed";
    private static final Object CLOSED = "closed";

    private static final int STARTING = 0;
    private static final int RUNNING = 1;
    private static final int OVER = 2;

    private volatile @Nullable Object next;
    private volatile int progress;

    /* Does its work, and calls over() when it is done, at once or later. */
    abstract void start();

    /* Called once, when the next turn may already run. */
    abstract void deliver();

    /* It came too late, and will not run. */
    abstract void refused();

    /* Another turn waits for this one. */
    void followed() {}

    /* False for a turn that runs already, though its time has only come now. */
    boolean take() {
        return true;
    }

    /* The turns of one gate that end at once run in this loop and not within each other. */
    static void run(QueuedOperation first) {
        QueuedOperation turn = first;
        while (turn != null && turn.take()) {
            turn.start();
            turn = PROGRESS.compareAndSet(turn, STARTING, RUNNING) || turn.progress == RUNNING ? null : turn.pass();
        }
    }

    /* To be called once. */
    final void over() {
        if (!PROGRESS.compareAndSet(this, STARTING, OVER)) {
            QueuedOperation waiting = pass();
            if (waiting != null) {
                run(waiting);
            }
        }
    }

    /* It goes on by itself, without waiting for its time. */
    final void runAlone() {
        progress = RUNNING;
    }

    final void follow(QueuedOperation later) {
        if (NEXT.compareAndSet(this, null, later)) {
            followed();
        } else if (next == PASSED) {
            run(later);
        } else {
            later.refuse();
        }
    }

    /* Nothing may come after this turn. To be called before it enters a gate. */
    final void close() {
        next = CLOSED;
    }

    final void refuse() {
        Object waiting = NEXT.getAndSet(this, CLOSED);
        refused();
        if (waiting instanceof QueuedOperation turn) {
            turn.refuse();
        }
    }

    private @Nullable QueuedOperation pass() {
        Object waiting = next == CLOSED ? null : NEXT.getAndSet(this, PASSED);
        deliver();
        return (QueuedOperation) waiting;
    }
}
