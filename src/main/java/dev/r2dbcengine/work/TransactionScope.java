package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * What statements run in: a transaction, a savepoint, or the set-up of a transaction. It is the gate of its statements; a
 * savepoint within it takes one turn for all that happens there.
 *
 * <p>Its end is decided when the body is over; a subscriber who leaves may still turn a commit into a rollback; once it is
 * SENT nothing changes it.
 */
abstract class TransactionScope extends OperationQueue implements WorkSource {

    private static final AtomicIntegerFieldUpdater<TransactionScope> ENDING =
            AtomicIntegerFieldUpdater.newUpdater(TransactionScope.class, "ending");

    private static final AtomicReferenceFieldUpdater<TransactionScope, @Nullable TransactionScope> SAVEPOINT =
            AtomicReferenceFieldUpdater.newUpdater(TransactionScope.class, TransactionScope.class, "savepoint");

    private static final int OPEN = 0;
    private static final int COMMITS = 1;
    private static final int ROLLS_BACK = 2;
    private static final int SENT = 3;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int ending = OPEN;

    private Context context;
    private @Nullable UnitExecution<?> run;
    private volatile @Nullable Hooks hooks;
    private volatile @Nullable Rollback demanded;
    private volatile @Nullable InFlightCalls raw;
    private volatile @Nullable TransactionScope savepoint;

    TransactionScope(Context context) {
        this.context = context;
    }

    /** Waits for the connection of a level. One of run, fail and left is called, once. */
    interface Waiter {

        void run(Connection connection);

        void fail(Throwable e);

        void left();

        boolean isLeft();
    }

    /**
     * Why a level that comes to a good end is to be rolled back.
     *
     * @param asked by the level's own unit, which then gets its value all the same
     * @param cause what failed, if something did
     */
    record Rollback(boolean asked, @Nullable Throwable cause) {}

    /* What a turn does first: who has left meanwhile is passed over. */
    final void admit(Waiter waiter) {
        if (waiter.isLeft()) {
            waiter.left();
        } else {
            prepare(waiter);
        }
    }

    static <T, S extends CoreSubscriber<T> & Waiter> void send(
            Function<? super Connection, ? extends Publisher<? extends T>> statement, Connection connection, S turn) {
        if (turn.isLeft()) {
            turn.left();
            return;
        }
        try {
            statement.apply(connection).subscribe(turn);
        } catch (Throwable e) {
            turn.fail(e);
        }
    }

    /* Its run begins: the Context of the body. */
    final Context runBegins(UnitExecution<?> begun) {
        run = begun;
        entered();
        return context;
    }

    /* Before anything runs in the level. */
    void entered() {}

    /* A subscriber within the body threw. Reactor emits nothing more there, so this ends the body. */
    final void bodyThrew(Throwable e) {
        UnitExecution<?> running = run;
        if (running != null) {
            running.bodyThrew(e);
        }
    }

    /* Before anybody else knows of the level. */
    final void context(Context told) {
        context = told;
    }

    abstract Transaction transaction();

    @Override
    public ContextualConnectionSource database() {
        return transaction().database();
    }

    /* This one, or a deeper one of the same transaction. */
    @Override
    public final TransactionScope level(ContextView context) {
        TransactionScope there = ContextScopes.find(context, transaction());
        if (there == null && savepoint != null) {
            throw new WorkException("A savepoint of " + transaction().name()
                    + " is open, and nothing tells whether this statement belongs to it: the Reactor Context is lost,"
                    + " or two units of one transaction are open at once. Use the Work that the savepoint's body was"
                    + " given, and run units of one transaction one after the other");
        }
        return there != null && there.isWithin(this) ? there : this;
    }

    @Override
    public final Object identity(ContextView context) {
        return transaction().identity();
    }

    /* Null for a transaction. */
    abstract @Nullable TransactionScope outer();

    /* Begins what was not yet begun. Called by who has the turn, so by one at a time. */
    abstract void prepare(Waiter waiter);

    /* The waiter has left. If it waits for a connection from outside, it does so no longer. */
    abstract void stopWaiting(Waiter waiter);

    /* Commits, or rolls back, and calls run.over(). */
    abstract void end(UnitExecution<?> run);

    /* The end has waited for the grace time for what runs. */
    abstract void endStatement(UnitExecution<?> run);

    /* Ends it although a statement has not ended. */
    abstract void abandon(UnitExecution<?> run);

    /* Of its run's subscriber. */
    public final Context context() {
        return context;
    }

    /* The level that the subscriber is within, on whatever source. */
    final @Nullable TransactionScope around() {
        return ContextScopes.innermost(context);
    }

    /* For a body. A concurrent end has either seen the hooks, and closes them, or is seen here. */
    final Hooks openHooks() {
        Hooks there = hooks();
        checkOpen();
        return there;
    }

    private synchronized Hooks hooks() {
        Hooks there = hooks;
        if (there == null) {
            there = new Hooks();
            hooks = there;
        }
        return there;
    }

    final @Nullable Mono<Void> takeBeforeCommit() {
        Hooks there = hooks;
        return there == null ? null : there.takeBeforeCommit();
    }

    final List<Mono<Void>> actionsAfter(boolean committed) {
        Hooks there = hooks;
        return there == null ? List.of() : there.take(committed);
    }

    /* Of a level within, which has come to a good end. */
    final void takeHooks(TransactionScope inner) {
        Hooks theirs = inner.hooks;
        if (theirs != null) {
            theirs.moveTo(hooks());
        }
    }

    void decide(boolean commit) {
        ending = commit ? COMMITS : ROLLS_BACK;
    }

    final boolean isDecided() {
        return ending != OPEN;
    }

    final void subscriberLeft() {
        ENDING.compareAndSet(this, COMMITS, ROLLS_BACK);
    }

    /* The last word: from now on it is a commit, which is true, or not. */
    final boolean seal() {
        return ENDING.getAndSet(this, SENT) == COMMITS;
    }

    final @Nullable Rollback demanded() {
        return demanded;
    }

    /* What nobody expected goes before what was asked for. */
    final synchronized void demandRollback(boolean asked, @Nullable Throwable cause) {
        Rollback before = demanded;
        if (before == null || before.asked()) {
            demanded = new Rollback(asked, cause);
        }
    }

    /* Whether the statement that failed is run again, since that helps and nothing was done before it. */
    boolean restarts(Waiter first, Throwable e) {
        return false;
    }

    /* After the end of the body no subscriber can handle the failure, so the level must not commit. */
    final void statementFailed(Throwable e) {
        transaction().failed(e);
        if (isDecided()) {
            demandRollback(false, e);
        }
    }

    /* What is requested of a level that has ended would have no effect. */
    final void checkOpen() {
        if (isDecided()) {
            throw ended();
        }
    }

    final synchronized InFlightCalls raw() {
        InFlightCalls there = raw;
        if (there == null) {
            there = new InFlightCalls(this);
            raw = there;
        }
        return there;
    }

    /* When no statement runs any more that went past the gate, on a connection that was handed out. */
    final void whenIdle(Runnable then) {
        InFlightCalls there = raw;
        if (there == null) {
            then.run();
        } else {
            there.whenIdle(then);
        }
    }

    /* Its body runs. What comes after that without a Context waits for its end: it is not of it. */
    final void savepointOpened(TransactionScope inner) {
        savepoint = inner;
    }

    /* Another one's may run by now. */
    final void savepointClosed(TransactionScope inner) {
        SAVEPOINT.compareAndSet(this, inner, null);
    }

    final boolean isWithin(TransactionScope other) {
        for (TransactionScope level = this; level != null; level = level.outer()) {
            if (level == other) {
                return true;
            }
        }
        return false;
    }

    final WorkEndedException ended() {
        return new WorkEndedException(transaction().name());
    }
}
