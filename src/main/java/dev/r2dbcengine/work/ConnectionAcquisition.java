package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.SourceErrors;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * Borrows the connection of a transaction. Either it ARRIVES or its waiter has LEFT; one that arrives after that goes back.
 * When the transaction has BEGUN on it and is set up, it is OPEN for statements.
 */
final class ConnectionAcquisition implements CoreSubscriber<Connection>, TimedCall.Caller {

    private static final AtomicIntegerFieldUpdater<ConnectionAcquisition> STATE =
            AtomicIntegerFieldUpdater.newUpdater(ConnectionAcquisition.class, "state");

    private static final int WAITING = 0;
    private static final int ARRIVED = 1;
    private static final int LEFT = 2;
    private static final int BEGUN = 3;
    private static final int OPEN = 4;

    private final Transaction transaction;
    private final TransactionScope.Waiter waiter;

    private volatile int state = WAITING;

    private boolean begunAgain;
    private volatile @Nullable Subscription request;
    private volatile @Nullable Connection connection;

    ConnectionAcquisition(Transaction transaction, TransactionScope.Waiter waiter) {
        this.transaction = transaction;
        this.waiter = waiter;
    }

    void begin() {
        try {
            transaction.database().source().borrow().subscribe(this);
        } catch (Throwable e) {
            onError(e);
        }
    }

    boolean isFor(TransactionScope.Waiter other) {
        return waiter == other;
    }

    @Override
    public Transaction transaction() {
        return transaction;
    }

    TransactionScope.Waiter waiter() {
        return waiter;
    }

    /* Null while it has not arrived. */
    @Nullable Connection connection() {
        return connection;
    }

    Connection arrived() {
        return Objects.requireNonNull(connection);
    }

    void begun() {
        state = BEGUN;
    }

    boolean hasBegun() {
        return state >= BEGUN;
    }

    /* True once: the transaction is to begin again, for the same statement. */
    boolean beginAgain() {
        boolean first = !begunAgain;
        begunAgain = true;
        return first;
    }

    void rolledBack() {
        state = ARRIVED;
    }

    void opened() {
        state = OPEN;
    }

    boolean isOpen() {
        return state == OPEN;
    }

    void leave() {
        if (takeBack()) {
            waiter.left();
        }
    }

    void refuse(Throwable e) {
        if (takeBack()) {
            waiter.fail(e);
        }
    }

    private boolean takeBack() {
        boolean waits = STATE.compareAndSet(this, WAITING, LEFT);
        Subscription waiting = request;
        if (waits && waiting != null) {
            waiting.cancel();
        }
        return waits;
    }

    @Override
    public Context currentContext() {
        return transaction.context();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        request = subscription;
        if (state == LEFT) {
            subscription.cancel();
        } else {
            subscription.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(Connection arrived) {
        if (STATE.compareAndSet(this, WAITING, ARRIVED)) {
            connection = arrived;
            transaction.borrowed(this, arrived);
        } else {
            transaction.giveBack(this, arrived, Outcome.KEEP, (unit, late, e) -> unit.notReturned(e));
        }
    }

    @Override
    public void onError(Throwable e) {
        if (STATE.compareAndSet(this, WAITING, LEFT)) {
            waiter.fail(explained(e));
        }
    }

    @Override
    public void onComplete() {
        if (state == WAITING) {
            onError(SourceErrors.noConnection());
        }
    }

    /* A pool that this very subscriber has a connection of already. */
    private Throwable explained(Throwable e) {
        boolean second = ContextScopes.find(transaction.context(), transaction.identity()) != null;
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
