package dev.r2dbcengine.work;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** Runs the operations of one connection one after the other, in the order in which they are added. */
abstract class OperationQueue {

    private static final AtomicReferenceFieldUpdater<OperationQueue, @Nullable QueuedOperation> LAST =
            AtomicReferenceFieldUpdater.newUpdater(OperationQueue.class, QueuedOperation.class, "last");

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile @Nullable QueuedOperation last;

    final void enter(QueuedOperation operation) {
        QueuedOperation before = LAST.getAndSet(this, operation);
        if (before == null) {
            QueuedOperation.run(operation);
        } else {
            before.append(operation);
        }
    }
}
