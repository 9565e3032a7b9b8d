package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.SqlExecution;
import dev.r2dbcengine.sql.UserCode;
import io.r2dbc.spi.Connection;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * A row stream. Rows pass as the subscriber requests them, until another operation waits in the queue. From then on the
 * stream reads all rows and buffers those that are not requested yet, so that the connection becomes free even if the
 * subscriber waits for the other statement.
 */
final class RowStreamOperation<T> extends QueuedOperation
        implements CoreSubscriber<T>, Subscription, TransactionScope.Waiter {

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<RowStreamOperation> REQUESTED =
            AtomicLongFieldUpdater.newUpdater(RowStreamOperation.class, "requested");

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<RowStreamOperation> PENDING =
            AtomicLongFieldUpdater.newUpdater(RowStreamOperation.class, "pending");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<RowStreamOperation> DRAINING =
            AtomicIntegerFieldUpdater.newUpdater(RowStreamOperation.class, "draining");

    private final TransactionScope scope;
    private final Function<? super Connection, ? extends Publisher<? extends T>> statement;
    private final CoreSubscriber<? super T> actual;

    /* Total demand; the part that was not forwarded yet; rows emitted, written by one thread at a time. */
    private volatile long requested;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile long pending;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int draining;

    private long emitted;

    private volatile @Nullable Subscription rows;
    private volatile @Nullable Queue<T> buffer;
    private volatile boolean cancelled;
    private volatile boolean overflowed;
    private volatile boolean done;
    private volatile @Nullable Throwable failure;
    private boolean delivered;

    RowStreamOperation(
            TransactionScope scope,
            Function<? super Connection, ? extends Publisher<? extends T>> statement,
            CoreSubscriber<? super T> actual) {
        this.scope = scope;
        this.statement = statement;
        this.actual = actual;
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    void start() {
        scope.admit(this);
    }

    @Override
    public void run(Connection connection) {
        TransactionScope.send(statement, connection, this);
    }

    @Override
    public void fail(Throwable e) {
        if (statement instanceof SqlExecution && isUnbounded() && scope.restarts(this, e)) {
            return;
        }
        scope.statementFailed(e);
        if (!overflowed) {
            failure = e;
        }
        complete();
    }

    /* Demand that is signalled concurrently is not known exactly, so a bounded stream cannot be repeated. */
    private boolean isUnbounded() {
        return emitted == 0 && (buffer != null || requested == Long.MAX_VALUE);
    }

    @Override
    public void skip() {
        complete();
    }

    @Override
    public boolean isPipelined() {
        return statement instanceof SqlExecution;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    void rejected() {
        failure = scope.ended();
        deliver();
    }

    @Override
    void successorWaits() {
        if (buffer == null) {
            buffer = Queues.<T>unbounded().get();
            readAll();
        }
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        boolean again = rows != null;
        rows = subscription;
        if (again) {
            readAll();
        } else {
            forward();
        }
    }

    @Override
    public void onNext(T row) {
        Queue<T> waiting = buffer;
        if (cancelled || overflowed) {
            Operators.onDiscard(row, currentContext());
        } else if (waiting == null) {
            emitted++;
            emit(row);
        } else {
            buffer(row, waiting);
        }
    }

    /* An exception of the subscriber must not reach the driver, nor keep the successor from starting. */
    private void emit(T row) {
        Throwable thrown = UserCode.next(actual, row);
        if (thrown != null) {
            cancel();
            UserCode.error(actual, thrown);
            scope.bodyThrew(thrown);
        }
    }

    /* An overflow fails the stream at once, before the waiting statement runs: mostly the failure cancels that statement. */
    private void buffer(T row, Queue<T> waiting) {
        waiting.offer(row);
        drain();
        int size = waiting.size();
        if (size > scope.transaction().settings().rowBuffer) {
            failure = scope.transaction().tooManyRows();
            overflowed = true;
            drain();
        } else if (size > 0) {
            scope.transaction().rowsBuffered();
        }
    }

    @Override
    public void onError(Throwable e) {
        if (!scope.holds(this, e)) {
            fail(e);
        }
    }

    @Override
    public void onComplete() {
        if (!scope.holds(this, null)) {
            complete();
        }
    }

    @Override
    void deliver() {
        done = true;
        drain();
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(REQUESTED, this, n);
            if (buffer == null) {
                Operators.addCap(PENDING, this, n);
                forward();
            } else {
                drain();
            }
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        readAll();
        scope.stopWaiting(this);
        drain();
    }

    private void readAll() {
        PENDING.set(this, Long.MAX_VALUE);
        forward();
    }

    private void forward() {
        Subscription reading = rows;
        if (reading != null) {
            long n = PENDING.getAndSet(this, 0);
            if (n > 0) {
                reading.request(n);
            }
        }
    }

    private void drain() {
        if (DRAINING.getAndIncrement(this) != 0) {
            return;
        }
        int missed = 1;
        do {
            emitBuffered();
            missed = DRAINING.addAndGet(this, -missed);
        } while (missed != 0);
    }

    private void emitBuffered() {
        boolean ended = done;
        Queue<T> waiting = buffer;
        if (waiting != null) {
            emitRequested(waiting);
        }
        if (overflowed || (ended && (cancelled || waiting == null || waiting.isEmpty()))) {
            deliverEnd();
        }
    }

    private void emitRequested(Queue<T> waiting) {
        while (!cancelled && !overflowed && emitted < requested) {
            T row = waiting.poll();
            if (row == null) {
                return;
            }
            emitted++;
            emit(row);
        }
        if (cancelled || overflowed) {
            Operators.onDiscardQueueWithClear(waiting, currentContext(), null);
        }
    }

    private void emitCompletion() {
        Throwable thrown = UserCode.complete(actual);
        if (thrown != null) {
            scope.bodyThrew(thrown);
        }
    }

    private void deliverEnd() {
        if (!delivered) {
            delivered = true;
            Throwable e = failure;
            if (cancelled) {
                scope.transaction().reportUnobserved("statement", e);
            } else if (e == null) {
                emitCompletion();
            } else {
                UserCode.error(actual, e);
            }
        }
    }
}
