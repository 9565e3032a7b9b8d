package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The scope in which statements run: a transaction, a savepoint, or the set-up of a transaction. It is the queue of its
 * statements; an inner savepoint is one operation of that queue. {@link UnitEnd} holds its states.
 *
 * <p>A Context holds the innermost scope under this class as the key, and each scope knows the one around it, on any source.
 */
abstract class TransactionScope extends OperationQueue implements InFlightCalls.Owner {

    private static final AtomicReferenceFieldUpdater<TransactionScope, @Nullable TransactionScope> SAVEPOINT =
            AtomicReferenceFieldUpdater.newUpdater(TransactionScope.class, TransactionScope.class, "savepoint");

    private static final AtomicReferenceFieldUpdater<TransactionScope, @Nullable Hooks> HOOKS =
            AtomicReferenceFieldUpdater.newUpdater(TransactionScope.class, Hooks.class, "hooks");

    private Context context;
    private @Nullable UnitEnd<?> end;
    private volatile @Nullable Hooks hooks;
    private volatile @Nullable InFlightCalls calls;
    private volatile @Nullable TransactionScope savepoint;

    TransactionScope(Context context) {
        this.context = context;
    }

    /** Waits for the connection of a scope. One of run, fail and skip is called, once. */
    interface Waiter {

        void run(Connection connection);

        void fail(Throwable e);

        /* The waiter was cancelled before it ran. */
        void skip();

        /* True for a statement of this library, which may be sent before the connection is known to be ready. */
        default boolean isPipelined() {
            return false;
        }

        /* Its outcome was held, and passes now. */
        default void ended(@Nullable Throwable e) {
            if (e == null) {
                skip();
            } else {
                fail(e);
            }
        }

        boolean isCancelled();
    }

    static Context put(Context context, TransactionScope scope) {
        return context.put(TransactionScope.class, scope);
    }

    /* Adds a scope to a Context that has lost it. */
    static Context restore(Context context, TransactionScope scope) {
        return find(context, scope.transaction()) == null ? put(context, scope) : context;
    }

    static boolean isNone(ContextView context) {
        return !context.hasKey(TransactionScope.class);
    }

    private static @Nullable TransactionScope innermost(ContextView context) {
        return context.getOrDefault(TransactionScope.class, null);
    }

    static @Nullable TransactionScope find(ContextView context, Object identity) {
        TransactionScope scope = innermost(context);
        while (scope != null && !scope.transaction().identity().equals(identity)) {
            scope = scope.surrounding();
        }
        return scope;
    }

    private static @Nullable TransactionScope find(ContextView context, Transaction transaction) {
        TransactionScope scope = innermost(context);
        while (scope != null && scope.transaction() != transaction) {
            scope = scope.surrounding();
        }
        return scope;
    }

    /* The scope in the Context of this one's subscriber, on any source. */
    private @Nullable TransactionScope surrounding() {
        return innermost(context);
    }

    /* The scope of a statement: this one, or an inner one of the same transaction. */
    final TransactionScope within(ContextView subscriber) {
        TransactionScope found = find(subscriber, transaction());
        if (found == null && savepoint != null) {
            throw new WorkException("A savepoint of " + transaction().name()
                    + " is open, and this statement may or may not belong to it: the Reactor Context is lost, or two units of"
                    + " one transaction are open at once. Use the Work that the savepoint's body was given, and run units"
                    + " of one transaction one after the other");
        }
        return found != null && found.isWithin(this) ? found : this;
    }

    private boolean isWithin(TransactionScope other) {
        for (TransactionScope scope = this; scope != null; scope = scope.outer()) {
            if (scope == other) {
                return true;
            }
        }
        return false;
    }

    /* The Context of the unit's subscriber. */
    public final Context context() {
        return context;
    }

    /* To be called before the scope is visible to other threads. */
    final void context(Context replacement) {
        context = replacement;
    }

    /* Returns the Context of the body. */
    final Context begin(UnitEnd<?> unit) {
        end = unit;
        entered();
        return put(context, this);
    }

    /* Called before anything runs in the scope. */
    void entered() {}

    abstract Transaction transaction();

    /* Null for a transaction. */
    abstract @Nullable TransactionScope outer();

    /* Passes the connection to a waiter, unless that was cancelled. Called for one waiter at a time, in queue order. */
    final void admit(Waiter waiter) {
        if (waiter.isCancelled()) {
            waiter.skip();
        } else {
            prepare(waiter);
        }
    }

    /* Begins the transaction or savepoint at the first statement, then passes the connection to the waiter. */
    abstract void prepare(Waiter waiter);

    static <T, S extends CoreSubscriber<T> & Waiter> void send(
            Function<? super Connection, ? extends Publisher<? extends T>> statement,
            Connection connection,
            S operation) {
        if (operation.isCancelled()) {
            operation.onComplete();
            return;
        }
        try {
            statement.apply(connection).subscribe(operation);
        } catch (Throwable e) {
            operation.onError(e);
        }
    }

    /* The waiter was cancelled: withdraws its request for a connection, if it is still pending. */
    abstract void stopWaiting(Waiter waiter);

    /* True if the scope passes the outcome of the statement later: BEGIN or SAVEPOINT is not answered yet, or has failed. */
    boolean holds(Waiter statement, @Nullable Throwable e) {
        return false;
    }

    /* True if the failed statement runs again in a new transaction. */
    boolean restarts(Waiter first, Throwable e) {
        return false;
    }

    /* The outcome is decided. */
    void bodyEnded() {}

    /* Commits, or rolls back, and calls end.complete(). */
    abstract void end(UnitEnd<?> unit, boolean commits);

    /* Called when a statement has run for the grace time after the body ended. */
    abstract void endStatement(UnitEnd<?> unit);

    /* Ends the scope although a statement still runs, and calls end.complete(). */
    abstract void abandon(UnitEnd<?> unit);

    final UnitEnd<?> end() {
        return Objects.requireNonNull(end, "The unit has not started");
    }

    /* A subscriber within the body threw. Reactor emits nothing more there, so this ends the body. */
    final void bodyThrew(Throwable e) {
        end().bodyThrew(e);
    }

    final void demandRollback(boolean requested, @Nullable Throwable cause) {
        end().demandRollback(requested, cause);
    }

    final boolean isEnding() {
        return end().isEnding();
    }

    /* A call on a scope that is ending would have no effect. */
    final void checkOpen() {
        if (isEnding()) {
            throw ended();
        }
    }

    final WorkEndedException ended() {
        return new WorkEndedException(transaction().name());
    }

    /* After the end of the body no subscriber can handle the failure, so the scope must not commit. */
    final void statementFailed(Throwable e) {
        transaction().failed(e);
        if (isEnding()) {
            demandRollback(false, e);
        }
    }

    /* The hooks are created before the check: the end of the body either sees them, or is seen here. */
    final Hooks openHooks() {
        Hooks open = hooks();
        checkOpen();
        return open;
    }

    private Hooks hooks() {
        if (hooks == null) {
            HOOKS.compareAndSet(this, null, new Hooks());
        }
        return Objects.requireNonNull(hooks);
    }

    /* Null if there are none; none are accepted from then on. */
    final @Nullable Mono<Void> takeBeforeCommit() {
        if (hooks == null && HOOKS.compareAndSet(this, null, Hooks.ENDED)) {
            return null;
        }
        return hooks().takeBeforeCommit();
    }

    final List<Mono<Void>> actionsAfter(boolean committed) {
        Hooks added = hooks;
        return added == null || added == Hooks.ENDED ? List.of() : added.take(committed);
    }

    /* Takes over the hooks of an inner scope that has ended without a rollback. */
    final void takeHooks(TransactionScope inner) {
        Hooks added = inner.hooks;
        if (added != null && added != Hooks.ENDED) {
            HOOKS.compareAndSet(this, Hooks.ENDED, Hooks.afterBody());
            added.moveTo(hooks());
        }
    }

    /* Null if no connection was lent. */
    final @Nullable InFlightCalls openedCalls() {
        return calls;
    }

    final synchronized InFlightCalls calls() {
        InFlightCalls opened = calls;
        if (opened == null) {
            opened = new InFlightCalls(this);
            calls = opened;
        }
        return opened;
    }

    @Override
    public boolean isEndedByDatabase() {
        return transaction().isEndedByDatabase();
    }

    @Override
    public WorkException refusal() {
        return transaction().refusal();
    }

    @Override
    public final void callFailed(Throwable e, boolean observed) {
        statementFailed(e);
        if (!observed) {
            transaction().reportUnobserved("statement", e);
        }
    }

    /* A statement without a Context that arrives while a savepoint is open is ambiguous. */
    final void savepointOpened(TransactionScope inner) {
        savepoint = inner;
    }

    /* By then another savepoint may be open. */
    final void savepointClosed(TransactionScope inner) {
        SAVEPOINT.compareAndSet(this, inner, null);
    }
}
