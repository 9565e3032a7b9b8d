package dev.r2dbcengine.work;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** Lets turns at one connection run one after the other, in the order in which they come. */
abstract class Gate {

    private static final AtomicReferenceFieldUpdater<Gate, @Nullable Turn> LAST =
            AtomicReferenceFieldUpdater.newUpdater(Gate.class, Turn.class, "last");

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile @Nullable Turn last;

    final void enter(Turn turn) {
        Turn before = LAST.getAndSet(this, turn);
        if (before == null) {
            Turn.run(turn);
        } else {
            before.follow(turn);
        }
    }
}
