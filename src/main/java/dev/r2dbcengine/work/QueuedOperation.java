package dev.r2dbcengine.work;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An operation in an {@link OperationQueue}: a statement, a savepoint with everything that runs in it, or the end of a unit.
 *
 * <p>Each operation refers to its successor. The successor's arrival and the operation's completion both change that
 * reference atomically, so exactly one of them starts the successor. A completed operation hands over before it delivers
 * its outcome, so that a statement that is subscribed during the delivery finds the queue free; the successor starts after
 * the delivery.
 */
abstract class QueuedOperation {

    private static final AtomicReferenceFieldUpdater<QueuedOperation, @Nullable Object> NEXT =
            AtomicReferenceFieldUpdater.newUpdater(QueuedOperation.class, Object.class, "next");

    private static final AtomicIntegerFieldUpdater<QueuedOperation> PROGRESS =
            AtomicIntegerFieldUpdater.newUpdater(QueuedOperation.class, "progress");

    /* In place of a successor: a successor may run at once; a successor is rejected. */
    private static final Object HANDED_OVER = "handed over";
    private static final Object CLOSED = "closed";

    private static final int STARTING = 0;
    private static final int RUNNING = 1;
    private static final int COMPLETED = 2;

    private volatile @Nullable Object next;
    private volatile int progress;

    /* Does the work, and calls complete() when it is done, at once or later. */
    abstract void start();

    /* Delivers the outcome. Called once, when the successor may already run. */
    abstract void deliver();

    /* The queue was closed before this operation: it will not run. */
    abstract void rejected();

    /* A successor waits for this operation. */
    void successorWaits() {}

    /* False for an operation that has already started without waiting for the queue. */
    boolean mayStart() {
        return true;
    }

    /* Operations of one queue that complete at once run in this loop and not within each other. */
    static void run(QueuedOperation first) {
        QueuedOperation operation = first;
        while (operation != null && operation.mayStart()) {
            operation.start();
            operation = PROGRESS.compareAndSet(operation, STARTING, RUNNING) || operation.progress == RUNNING
                    ? null
                    : operation.handOver();
        }
    }

    /* To be called once. */
    final void complete() {
        if (!PROGRESS.compareAndSet(this, STARTING, COMPLETED)) {
            QueuedOperation waiting = handOver();
            if (waiting != null) {
                run(waiting);
            }
        }
    }

    /* Starts without waiting for the operations before it. */
    final void startUnqueued() {
        progress = RUNNING;
    }

    final void append(QueuedOperation successor) {
        if (NEXT.compareAndSet(this, null, successor)) {
            successorWaits();
        } else if (next == HANDED_OVER) {
            run(successor);
        } else {
            successor.reject();
        }
    }

    /* Rejects every successor. To be called before the operation enters a queue. */
    final void markLast() {
        next = CLOSED;
    }

    private void reject() {
        Object waiting = NEXT.getAndSet(this, CLOSED);
        rejected();
        if (waiting instanceof QueuedOperation successor) {
            successor.reject();
        }
    }

    private @Nullable QueuedOperation handOver() {
        Object waiting = next == CLOSED ? null : NEXT.getAndSet(this, HANDED_OVER);
        deliver();
        return (QueuedOperation) waiting;
    }
}
