package dev.r2dbcengine.work;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** Lets turns at one connection run one after the other, in the order in which they come. */
abstract class OperationQueue {

    private static final AtomicReferenceFieldUpdater<OperationQueue, @Nullable QueuedOperation> LAST =
            AtomicReferenceFieldUpdater.newUpdater(OperationQueue.class, QueuedOperation.class, "last");

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile @Nullable QueuedOperation last;

    final void enter(QueuedOperation turn) {
        QueuedOperation before = LAST.getAndSet(this, turn);
        if (before == null) {
            QueuedOperation.run(turn);
        } else {
            before.follow(turn);
        }
    }
}
