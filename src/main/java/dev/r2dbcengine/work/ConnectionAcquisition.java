package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.SourceErrors;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * The acquisition of a transaction's connection, for its first statement.
 *
 * <pre>
 * state      moved by                                                           may be followed by
 * WAITING    the first statement                                                ACQUIRED, WITHDRAWN
 * WITHDRAWN  the source's failure, the statement's cancellation, forced end     -: a later connection is released
 * ACQUIRED   the source's connection; a rollback, to begin again                BEGUN
 * BEGUN      the answer to BEGIN                                                OPEN, ACQUIRED
 * OPEN       the end of the set-up, or BEGUN if there is none                   ACQUIRED
 * </pre>
 */
final class ConnectionAcquisition
        implements CoreSubscriber<Connection>, TimedCall.Caller<Transaction>, PipelinedCall.Caller {

    private static final AtomicIntegerFieldUpdater<ConnectionAcquisition> STATE =
            AtomicIntegerFieldUpdater.newUpdater(ConnectionAcquisition.class, "state");

    private static final int WAITING = 0;
    private static final int ACQUIRED = 1;
    private static final int WITHDRAWN = 2;
    private static final int BEGUN = 3;
    private static final int OPEN = 4;

    private final Transaction transaction;
    private final TransactionScope.Waiter waiter;

    private volatile int state = WAITING;

    private boolean begunAgain;
    private volatile @Nullable PipelinedCall begin;
    private volatile @Nullable Subscription request;
    private volatile @Nullable Connection connection;

    ConnectionAcquisition(Transaction transaction, TransactionScope.Waiter waiter) {
        this.transaction = transaction;
        this.waiter = waiter;
    }

    void start() {
        try {
            transaction.database().source().borrow().subscribe(this);
        } catch (Throwable e) {
            onError(e);
        }
    }

    @Override
    public Transaction owner() {
        return transaction;
    }

    @Override
    public Context callContext() {
        return transaction.context();
    }

    boolean isFor(TransactionScope.Waiter other) {
        return waiter == other;
    }

    TransactionScope.Waiter waiter() {
        return waiter;
    }

    /* Null before the connection is acquired. */
    @Nullable Connection connection() {
        return connection;
    }

    Connection acquired() {
        return Objects.requireNonNull(connection);
    }

    /* Sends BEGIN and the first statement in one round trip. */
    void beginAhead(Publisher<?> call) {
        PipelinedCall ahead = PipelinedCall.before(waiter, this);
        begin = ahead;
        ahead.send(call, () -> waiter.run(acquired()));
    }

    boolean holds(TransactionScope.Waiter statement, @Nullable Throwable e) {
        PipelinedCall ahead = begin;
        return ahead != null && ahead.holds(statement, e);
    }

    @Override
    public void answered() {
        transaction.begunAhead(this);
    }

    @Override
    public void failed(Throwable e) {
        transaction.failedAhead(this, e);
    }

    void begun() {
        state = BEGUN;
    }

    boolean hasBegun() {
        return state >= BEGUN;
    }

    /* True once: the transaction begins again, for the same statement. */
    boolean beginAgain() {
        boolean first = !begunAgain;
        begunAgain = true;
        return first;
    }

    void rolledBack() {
        state = ACQUIRED;
    }

    void opened() {
        state = OPEN;
    }

    boolean isOpen() {
        return state == OPEN;
    }

    void cancel() {
        if (withdraw()) {
            waiter.skip();
        }
    }

    void refuse(Throwable e) {
        if (withdraw()) {
            waiter.fail(e);
        }
    }

    private boolean withdraw() {
        boolean pending = STATE.compareAndSet(this, WAITING, WITHDRAWN);
        Subscription waiting = request;
        if (pending && waiting != null) {
            waiting.cancel();
        }
        return pending;
    }

    @Override
    public Context currentContext() {
        return transaction.context();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        request = subscription;
        if (state == WITHDRAWN) {
            subscription.cancel();
        } else {
            subscription.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(Connection emitted) {
        if (STATE.compareAndSet(this, WAITING, ACQUIRED)) {
            connection = emitted;
            transaction.begin(this, emitted);
        } else {
            transaction.release(this, emitted, Outcome.KEEP, (owner, late, e) -> owner.reportRelease(e));
        }
    }

    @Override
    public void onError(Throwable e) {
        if (STATE.compareAndSet(this, WAITING, WITHDRAWN)) {
            waiter.fail(explained(e));
        }
    }

    @Override
    public void onComplete() {
        if (state == WAITING) {
            onError(SourceErrors.noConnection());
        }
    }

    /* The same subscriber may already hold a connection of this pool. */
    private Throwable explained(Throwable e) {
        boolean second = TransactionScope.find(transaction.context(), transaction.identity()) != null;
        return second && e instanceof R2dbcTimeoutException
                ? new WorkException(
                        transaction.name()
                                + " runs within another unit of work and needs a second connection of the same"
                                + " pool, which had none left in time. Raise maxSize above the number of units that run"
                                + " at once, or let it join (Propagation.REQUIRED)",
                        e)
                : e;
    }
}
