package dev.r2dbcengine.work;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * The end of a unit, which is the last operation in the queue of its scope. It decides whether to commit, waits until no
 * statement runs, lets the scope commit or roll back, runs the actions after the end, and delivers the outcome.
 *
 * <p>The states of a unit. Each transition is one atomic operation on {@code state}:
 *
 * <pre>
 * state      moved by                                          on which signal                          may be followed by
 * BODY       UnitExecution                                     subscription                             DECIDING
 * DECIDING   the first of: body, timeout, subscriber,          completion or error of the body and its  COMMIT, ROLLBACK
 *            subscriber within the body                        beforeCommit actions, timeout, cancel,
 *                                                              exception
 * COMMIT     decide()                                          no rollback is demanded                  FORCED, ROLLBACK,
 *                                                                                                       SEALED, ABANDONED
 * FORCED     the grace timer                                   a statement still runs                   ROLLBACK, SEALED,
 *                                                                                                       ABANDONED
 * ROLLBACK   decide(), or the subscriber                       a rollback is demanded, or cancel        SEALED, ABANDONED
 * SEALED     the queue, when no call is in flight              complete() of the operation before       -
 * ABANDONED  the grace timer                                   a statement survives the close of its    -
 *                                                              connection
 * </pre>
 *
 * <p>The way of a unit with one statement. (x) marks where a cancellation of the unit's subscriber is seen, and what it does:
 *
 * <pre>{@code
 * subscriber     UnitExecution      StatementOperation   ConnectionAcquisition   Transaction             UnitEnd
 *     | execute        |                    |                     |                  |                      |
 *     |--------------->| body.apply(work)   |                     |                  |                      |
 *     |                |------------------->| enter the queue     |                  |                      |
 *     |                |                    |-------------------------------------->| prepare               |
 *     |                |                    |                     |<-----------------| acquire              |
 *     |            (x) the request for a connection is withdrawn; the statement is skipped                   |
 *     |                |                    |                     |----------------->| BEGIN, set-up        |
 *     |            (x) they run to their end; the statement is skipped               |                      |
 *     |                |                    |<---------------------------------------| run(connection)      |
 *     |                |                    | the statement       |                  |                      |
 *     |            (x) the statement runs to its end, its value is discarded         |                      |
 *     |                |<-------------------| value, completion   |                  |                      |
 *     |                | beforeCommit actions                     |                  |                      |
 *     |            (x) the running action is cancelled, its statements run to their end                     |
 *     |                |--------------------------------------------------------------- decide ------------>|
 *     |                |                    |                     |                  |    enter the queue   |
 *     |            (x) COMMIT becomes ROLLBACK                    |                  |    no call in flight |
 *     |                |                    |                     |                  |<---- end(commits) ---| SEALED
 *     |            (x) from here on the outcome is fixed, and only the value is discarded                   |
 *     |                |                    |                     |     COMMIT or ROLLBACK, reset, release  |
 *     |                |                    |                     |                  |-- completeAfter ---->| actions
 *     |<----------------------------------------------------------------------------------- deliver ---------|
 * }</pre>
 *
 * <p>Invariants. At most one operation of a scope uses its connection at a time, apart from calls on guarded connections,
 * whose order is the caller's. A call that was sent is never cancelled, and nothing is sent after one that was not
 * answered. COMMIT is sent only if the state was COMMIT and no rollback was demanded at the moment of SEALED. The outcome
 * is delivered exactly once, after the connection or savepoint is released and the actions after the end have completed.
 * Every wait after the body has a limit: the grace time for statements, the cleanup timeout for each call of the end and
 * each action.
 */
abstract class UnitEnd<T> extends SingleValueOperation<T> implements TimedCall.Caller<Transaction> {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<UnitEnd> STATE =
            AtomicIntegerFieldUpdater.newUpdater(UnitEnd.class, "state");

    private static final int BODY = 0;
    private static final int DECIDING = 1;
    private static final int COMMIT = 2;
    private static final int FORCED = 3;
    private static final int ROLLBACK = 4;
    private static final int SEALED = 5;
    private static final int ABANDONED = 6;

    final TransactionScope scope;
    final WorkSettings settings;

    private volatile int state = BODY;
    private volatile @Nullable Rollback rollback;
    private volatile @Nullable Disposable timer;

    UnitEnd(TransactionScope scope, WorkSettings settings, CoreSubscriber<? super T> actual) {
        super(actual);
        this.scope = scope;
        this.settings = settings;
    }

    /**
     * A demand to roll back.
     *
     * @param requested by the unit's own body, whose value is then emitted all the same
     * @param cause the failure, if there is one
     */
    private record Rollback(boolean requested, @Nullable Throwable cause) {}

    abstract void bodyThrew(Throwable e);

    @Override
    public final Transaction owner() {
        return scope.transaction();
    }

    @Override
    public final Context callContext() {
        return owner().context();
    }

    /* False as long as the body runs. */
    final boolean isEnding() {
        return state != BODY;
    }

    /* True for the first of: completion, failure, timeout, cancellation. It calls decide(). */
    final boolean endBody() {
        return STATE.compareAndSet(this, BODY, DECIDING);
    }

    final boolean isRollbackDemanded() {
        return rollback != null;
    }

    /* An unexpected rollback takes precedence over one that the body requested. */
    final synchronized void demandRollback(boolean requested, @Nullable Throwable cause) {
        Rollback before = rollback;
        if (before == null || before.requested()) {
            rollback = new Rollback(requested, cause);
        }
    }

    final void decide(@Nullable Throwable e) {
        dispose(timer);
        Rollback demanded = rollback;
        if (e == null && demanded != null && !demanded.requested()) {
            failure(new UnexpectedRollbackException(settings.name, demanded.cause()));
        } else {
            failure(e);
        }
        state = demanded == null && !settings.alwaysRollback ? COMMIT : ROLLBACK;
        scope.bodyEnded();
        if (isCancelled()) {
            rollBackInstead();
        }
        markLast();
        scope.enter(this);
        if (!isSealed()) {
            afterGrace(() -> scope.endStatement(this));
        }
    }

    /* The subscriber has cancelled. Has no effect once the decision is sealed. */
    final void rollBackInstead() {
        if (!STATE.compareAndSet(this, COMMIT, ROLLBACK)) {
            STATE.compareAndSet(this, FORCED, ROLLBACK);
        }
    }

    /* A statement that the body did not wait for is about to be ended, or is never sent. */
    final void force() {
        STATE.compareAndSet(this, COMMIT, FORCED);
    }

    @Override
    final boolean mayStart() {
        return state != ABANDONED;
    }

    @Override
    final void start() {
        InFlightCalls calls = scope.openedCalls();
        if (calls == null) {
            end();
        } else {
            calls.whenIdle(this::end);
        }
    }

    private void end() {
        int decision = seal(SEALED);
        if (decision < SEALED) {
            scope.end(this, commits(decision));
        }
    }

    /* Ends the unit although an operation before it still runs. */
    final void abandon() {
        int decision = seal(ABANDONED);
        if (decision < SEALED) {
            commits(decision);
            startUnqueued();
            scope.abandon(this);
        }
    }

    /* Returns the decision, or at least SEALED if it was sealed before. */
    private int seal(int sealed) {
        int decision = state;
        while (decision < SEALED && !STATE.compareAndSet(this, decision, sealed)) {
            decision = state;
        }
        dispose(timer);
        return decision;
    }

    /* Statements that the body did not wait for may have failed since the decision. */
    private boolean commits(int decision) {
        Rollback demanded = rollback;
        if (decision == FORCED) {
            commitFailed(WorkTimeoutException.ofStatement(settings.name, settings.graceTime));
        } else if (decision == COMMIT && demanded != null && !demanded.requested()) {
            commitFailed(new UnexpectedRollbackException(settings.name, demanded.cause()));
        }
        return decision == COMMIT && demanded == null;
    }

    final boolean isSealed() {
        return state >= SEALED;
    }

    /* Has no effect if the decision is sealed by then. */
    final void afterGrace(Runnable task) {
        if (!isSealed()) {
            Disposable waiting = schedule(settings.graceTime, () -> {
                if (!isSealed()) {
                    task.run();
                }
            });
            if (isSealed()) {
                waiting.dispose();
            }
        }
    }

    final void limitBody(Runnable task) {
        Disposable waiting = schedule(settings.timeout, task);
        if (isEnding()) {
            waiting.dispose();
        }
    }

    private Disposable schedule(Duration time, Runnable task) {
        Disposable waiting = Schedulers.parallel().schedule(task, time.toNanos(), TimeUnit.NANOSECONDS);
        timer = waiting;
        return waiting;
    }

    private static void dispose(@Nullable Disposable waiting) {
        if (waiting != null) {
            waiting.dispose();
        }
    }

    /* Takes precedence over an earlier failure of the body, which is suppressed in it. */
    final void commitFailed(Throwable e) {
        Transaction.suppress(e, failure());
        failure(e);
    }

    final void alsoFailed(String call, @Nullable Throwable e) {
        Throwable first = failure();
        if (first == null || isCancelled()) {
            owner().report(call, e);
        } else {
            Transaction.suppress(first, e);
        }
    }

    /* Runs the actions after the end of a transaction, then completes. */
    final void completeAfter(List<Mono<Void>> actions) {
        if (actions.isEmpty()) {
            owner().complete(this);
        } else {
            new AfterCompletion(this, actions).next();
        }
    }

    @Override
    final void rejected() {
        failure(scope.ended());
        deliver();
    }

    @Override
    final void completedUnobserved(@Nullable Throwable e) {
        owner().reportUnobserved("unit", e);
    }

    /** Runs the actions after the end of a transaction in order; a failing action does not stop the rest. */
    private static final class AfterCompletion implements TimedCall.Caller<Transaction> {

        private final UnitEnd<?> unit;
        private final Iterator<Mono<Void>> actions;
        private final AtomicInteger running = new AtomicInteger();

        AfterCompletion(UnitEnd<?> unit, List<Mono<Void>> actions) {
            this.unit = unit;
            this.actions = actions.iterator();
        }

        @Override
        public Transaction owner() {
            return unit.owner();
        }

        @Override
        public Context callContext() {
            return unit.callContext();
        }

        @Override
        public WorkTimeoutException timedOut(String call, Duration deadline) {
            return WorkTimeoutException.ofAction(deadline);
        }

        /* Actions that end at once run in this loop and not within each other. */
        void next() {
            if (running.getAndIncrement() == 0) {
                do {
                    if (!actions.hasNext()) {
                        owner().complete(unit);
                        return;
                    }
                    Mono<Void> action = actions.next();
                    owner().call("action after the end", this, (transaction, all) -> action, AfterCompletion::ended);
                } while (running.decrementAndGet() != 0);
            }
        }

        private static void ended(Transaction transaction, AfterCompletion all, @Nullable Throwable e) {
            if (e != null) {
                transaction.notifyListener(listener -> listener.hookFailed(transaction, e));
            }
            all.next();
        }
    }
}
