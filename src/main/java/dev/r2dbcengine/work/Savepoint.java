package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * A savepoint, set when the first statement within it has its turn. From then to its end it keeps the turn in the level around
 * it.
 */
final class Savepoint extends TransactionScope {

    private final TransactionScope outer;
    private volatile @Nullable Opening opening;
    private volatile @Nullable Connection connection;
    private String name = "";

    Savepoint(TransactionScope outer, Context context) {
        super(context);
        this.outer = outer;
    }

    @Override
    Transaction transaction() {
        return outer.transaction();
    }

    @Override
    TransactionScope outer() {
        return outer;
    }

    @Override
    void prepare(Waiter waiter) {
        Connection open = connection;
        if (transaction().isEndedByDatabase()) {
            waiter.fail(transaction().refusal());
        } else if (open != null) {
            waiter.run(open);
        } else {
            Opening turn = new Opening(waiter);
            opening = turn;
            outer.enter(turn);
        }
    }

    @Override
    void stopWaiting(Waiter waiter) {
        Opening turn = opening;
        if (turn != null && turn.waiter == waiter) {
            turn.stopWaiting();
        }
    }

    /* What waits for its turn in a level around is not to end what has it. */
    @Override
    void endStatement(UnitExecution<?> run) {
        if (isWaiting()) {
            run.afterGrace(() -> endStatement(run));
        } else {
            transaction().endStatement(run);
        }
    }

    private boolean isWaiting() {
        Opening turn = opening;
        return turn != null
                && connection == null
                && (turn.state == Opening.WAITING || (outer instanceof Savepoint around && around.isWaiting()));
    }

    @Override
    void decide(boolean commit) {
        super.decide(commit);
        outer.savepointClosed(this);
    }

    @Override
    void end(UnitExecution<?> run) {
        if (run.claimEnd()) {
            boolean commits = run.seal();
            Connection open = connection;
            if (open == null || transaction().isEndedByDatabase()) {
                ended(run, commits);
            } else if (commits) {
                release(run, open);
            } else {
                rollBack(run, open);
            }
        }
    }

    @Override
    void abandon(UnitExecution<?> run) {
        transaction().demandRollback(false, run.failure());
        ended(run, false);
    }

    private void release(UnitExecution<?> run, Connection open) {
        transaction()
                .call(
                        "release of a savepoint",
                        run,
                        (unit, ending) -> unit.releaseSavepoint(open, name),
                        (unit, ending, e) -> {
                            if (e == null) {
                                ended(ending, true);
                            } else {
                                ending.commitFailed(e);
                                notReleased(ending, open, e);
                            }
                        });
    }

    private void notReleased(UnitExecution<?> run, Connection open, Throwable e) {
        if (e instanceof WorkTimeoutException) {
            lost(run, e);
        } else {
            rollBack(run, open);
        }
    }

    private void rollBack(UnitExecution<?> run, Connection open) {
        String call = "rollback to a savepoint";
        transaction().call(call, run, (unit, ending) -> unit.rollBackTo(open, name), (unit, ending, e) -> {
            if (e == null) {
                ended(ending, false);
            } else {
                ending.alsoFailed(call, e);
                lost(ending, e);
            }
        });
    }

    /* Nobody knows what a commit would keep. */
    private void lost(UnitExecution<?> run, Throwable e) {
        transaction().lost(e);
        transaction().demandRollback(false, e);
        ended(run, false);
    }

    private void ended(UnitExecution<?> run, boolean committed) {
        if (committed) {
            outer.takeHooks(this);
        }
        Opening turn = opening;
        if (turn != null && connection != null) {
            turn.over();
        }
        run.over();
    }

    /** The turn in the level around. */
    private final class Opening extends QueuedOperation implements Waiter, TimedCall.Caller {

        private static final AtomicIntegerFieldUpdater<Opening> STATE =
                AtomicIntegerFieldUpdater.newUpdater(Opening.class, "state");

        private static final int WAITING = 0;
        private static final int STARTED = 1;
        private static final int LEFT = 2;

        private final Waiter waiter;
        private volatile int state = WAITING;

        Opening(Waiter waiter) {
            this.waiter = waiter;
        }

        /* Whoever leaves the queue goes at once, and lets the savepoint end: its place in the queue stays, empty. */
        void stopWaiting() {
            if (STATE.compareAndSet(this, WAITING, LEFT)) {
                waiter.left();
            } else {
                outer.stopWaiting(this);
            }
        }

        @Override
        void start() {
            if (STATE.compareAndSet(this, WAITING, STARTED)) {
                outer.admit(this);
            } else {
                over();
            }
        }

        @Override
        public void run(Connection open) {
            name = transaction().nextSavepoint();
            TimedCall.run(this, (unit, opening) -> unit.createSavepoint(open, name), (unit, opening, e) -> {
                if (e == null) {
                    outer.savepointOpened(Savepoint.this);
                    if (isDecided()) {
                        outer.savepointClosed(Savepoint.this);
                    }
                    connection = open;
                    waiter.run(open);
                } else {
                    unit.failed(e);
                    fail(e);
                }
            });
        }

        @Override
        public Transaction transaction() {
            return Savepoint.this.transaction();
        }

        @Override
        public void fail(Throwable e) {
            over();
            waiter.fail(e);
        }

        @Override
        public void left() {
            over();
            waiter.left();
        }

        @Override
        public boolean isLeft() {
            return waiter.isLeft();
        }

        @Override
        void deliver() {}

        @Override
        void refused() {
            if (STATE.compareAndSet(this, WAITING, STARTED)) {
                waiter.fail(outer.ended());
            }
        }
    }
}
