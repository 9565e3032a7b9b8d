package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * A savepoint, created at its first statement. From then to its end it is the running operation of the outer scope, whose
 * later statements wait.
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
        if (isEndedByDatabase()) {
            waiter.fail(refusal());
        } else if (open != null) {
            waiter.run(open);
        } else {
            Opening operation = new Opening(waiter);
            opening = operation;
            outer.enter(operation);
        }
    }

    @Override
    void stopWaiting(Waiter waiter) {
        Opening operation = opening;
        if (operation != null && operation.waiter == waiter) {
            operation.stopWaiting();
        }
    }

    @Override
    boolean holds(Waiter statement, @Nullable Throwable e) {
        Opening operation = opening;
        return operation != null && operation.holds(statement, e);
    }

    /* A savepoint that still waits in an outer queue must not end the statement that runs there. */
    @Override
    void endStatement(UnitEnd<?> unit) {
        if (isWaiting()) {
            unit.afterGrace(() -> endStatement(unit));
        } else {
            transaction().endStatement(unit);
        }
    }

    private boolean isWaiting() {
        Opening operation = opening;
        return operation != null
                && connection == null
                && (operation.state == Opening.WAITING || (outer instanceof Savepoint around && around.isWaiting()));
    }

    @Override
    void bodyEnded() {
        outer.savepointClosed(this);
    }

    @Override
    void end(UnitEnd<?> unit, boolean commits) {
        Connection open = connection;
        if (open == null || isEndedByDatabase()) {
            ended(unit, commits);
        } else if (commits) {
            release(unit, open);
        } else {
            rollBack(unit, open);
        }
    }

    @Override
    void abandon(UnitEnd<?> unit) {
        transaction().demandRollback(false, unit.failure());
        ended(unit, false);
    }

    private void release(UnitEnd<?> unit, Connection open) {
        transaction()
                .call(
                        "release of a savepoint",
                        unit,
                        (transaction, savepoint) -> transaction.releaseSavepoint(open, name),
                        (transaction, savepoint, e) -> {
                            if (e == null) {
                                ended(savepoint, true);
                            } else {
                                savepoint.commitFailed(e);
                                notReleased(savepoint, open, e);
                            }
                        });
    }

    private void notReleased(UnitEnd<?> unit, Connection open, Throwable e) {
        if (e instanceof WorkTimeoutException) {
            lost(unit, e);
        } else {
            rollBack(unit, open);
        }
    }

    private void rollBack(UnitEnd<?> unit, Connection open) {
        String call = "rollback to a savepoint";
        transaction()
                .call(
                        call,
                        unit,
                        (transaction, savepoint) -> transaction.rollBackTo(open, name),
                        (transaction, savepoint, e) -> {
                            if (e == null) {
                                ended(savepoint, false);
                            } else {
                                savepoint.alsoFailed(call, e);
                                lost(savepoint, e);
                            }
                        });
    }

    /* It is not known what a commit would keep, so the transaction must roll back. */
    private void lost(UnitEnd<?> unit, Throwable e) {
        transaction().lost(e);
        transaction().demandRollback(false, e);
        ended(unit, false);
    }

    private void ended(UnitEnd<?> unit, boolean committed) {
        if (committed) {
            outer.takeHooks(this);
        }
        Opening operation = opening;
        if (operation != null && connection != null) {
            operation.complete();
        }
        unit.complete();
    }

    /** The operation in the queue of the outer scope. */
    private final class Opening extends QueuedOperation
            implements Waiter, TimedCall.Caller<Transaction>, PipelinedCall.Caller {

        private static final AtomicIntegerFieldUpdater<Opening> STATE =
                AtomicIntegerFieldUpdater.newUpdater(Opening.class, "state");

        private static final int WAITING = 0;
        private static final int STARTED = 1;
        private static final int CANCELLED = 2;

        private final Waiter waiter;
        private volatile int state = WAITING;
        private volatile @Nullable PipelinedCall create;

        Opening(Waiter waiter) {
            this.waiter = waiter;
        }

        /* A cancelled statement completes at once, so that the savepoint can end; an empty operation stays in the queue. */
        void stopWaiting() {
            if (STATE.compareAndSet(this, WAITING, CANCELLED)) {
                waiter.skip();
            } else {
                outer.stopWaiting(this);
            }
        }

        @Override
        void start() {
            if (STATE.compareAndSet(this, WAITING, STARTED)) {
                outer.admit(this);
            } else {
                complete();
            }
        }

        @Override
        public void run(Connection open) {
            name = transaction().nextSavepoint();
            if (waiter.isPipelined() && transaction().isPipelined(open)) {
                PipelinedCall ahead = PipelinedCall.before(waiter, this);
                create = ahead;
                opened(open);
                ahead.send(transaction().createSavepoint(open, name), () -> waiter.run(open));
            } else {
                create(open);
            }
        }

        private void create(Connection open) {
            TimedCall.run(this, (owner, opening) -> owner.createSavepoint(open, name), (owner, opening, e) -> {
                if (e == null) {
                    opened(open);
                    waiter.run(open);
                } else {
                    owner.failed(e);
                    fail(e);
                }
            });
        }

        private void opened(Connection open) {
            outer.savepointOpened(Savepoint.this);
            if (isEnding()) {
                outer.savepointClosed(Savepoint.this);
            }
            connection = open;
        }

        boolean holds(Waiter statement, @Nullable Throwable e) {
            PipelinedCall ahead = create;
            return ahead != null && ahead.holds(statement, e);
        }

        @Override
        public void answered() {}

        /* If the server rejected the savepoint, the statement may have run in the outer scope. */
        @Override
        public void failed(Throwable e) {
            connection = null;
            outer.savepointClosed(Savepoint.this);
            transaction().failed(e);
            transaction().rejectedAhead(e);
            fail(e);
        }

        @Override
        public Transaction owner() {
            return transaction();
        }

        @Override
        public Context callContext() {
            return transaction().context();
        }

        @Override
        public void fail(Throwable e) {
            complete();
            waiter.fail(e);
        }

        @Override
        public void skip() {
            complete();
            waiter.skip();
        }

        @Override
        public boolean isCancelled() {
            return waiter.isCancelled();
        }

        @Override
        void deliver() {}

        @Override
        void rejected() {
            if (STATE.compareAndSet(this, WAITING, STARTED)) {
                waiter.fail(outer.ended());
            }
        }
    }
}
