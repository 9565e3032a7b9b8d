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
 * The turn of a row stream. Rows pass as they are asked for, until another turn waits behind it: from then on it reads
 * everything and keeps in a buffer what was not yet asked for, so that the connection gets free though the subscriber
 * waits for the other statement.
 */
final class RowStreamOperation<T> extends QueuedOperation
        implements CoreSubscriber<T>, Subscription, TransactionScope.Waiter {

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<RowStreamOperation> WANTED =
            AtomicLongFieldUpdater.newUpdater(RowStreamOperation.class, "wanted");

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<RowStreamOperation> UNASKED =
            AtomicLongFieldUpdater.newUpdater(RowStreamOperation.class, "unasked");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<RowStreamOperation> DRAINING =
            AtomicIntegerFieldUpdater.newUpdater(RowStreamOperation.class, "draining");

    private final TransactionScope level;
    private final Function<? super Connection, ? extends Publisher<? extends T>> statement;
    private final CoreSubscriber<? super T> actual;

    /* All that was asked for; what of it was not yet passed on; rows given, written by one thread at a time. */
    private volatile long wanted;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile long unasked;

    @SuppressWarnings("UnusedVariable") // by its updater
    private volatile int draining;

    private long given;

    private volatile @Nullable Subscription rows;
    private volatile @Nullable Queue<T> buffer;
    private volatile boolean left;
    private volatile boolean overflown;
    private volatile boolean done;
    private volatile @Nullable Throwable failure;
    private boolean told;

    RowStreamOperation(
            TransactionScope level,
            Function<? super Connection, ? extends Publisher<? extends T>> statement,
            CoreSubscriber<? super T> actual) {
        this.level = level;
        this.statement = statement;
        this.actual = actual;
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    void start() {
        level.admit(this);
    }

    @Override
    public void run(Connection connection) {
        TransactionScope.send(statement, connection, this);
    }

    @Override
    public void fail(Throwable e) {
        if (statement instanceof SqlExecution && asksForAll() && level.restarts(this, e)) {
            return;
        }
        level.statementFailed(e);
        if (!overflown) {
            failure = e;
        }
        over();
    }

    /* The demand of others is not known exactly while they signal it. */
    private boolean asksForAll() {
        return given == 0 && (buffer != null || wanted == Long.MAX_VALUE);
    }

    @Override
    public void left() {
        over();
    }

    @Override
    public boolean isLeft() {
        return left;
    }

    @Override
    void refused() {
        failure = level.ended();
        deliver();
    }

    @Override
    void followed() {
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
        if (left || overflown) {
            Operators.onDiscard(row, currentContext());
        } else if (waiting == null) {
            given++;
            emit(row);
        } else {
            buffer(row, waiting);
        }
    }

    /* What the subscriber throws must not get into the driver, nor keep the next turn from its start. */
    private void emit(T row) {
        Throwable thrown = UserCode.next(actual, row);
        if (thrown != null) {
            cancel();
            UserCode.error(actual, thrown);
            level.bodyThrew(thrown);
        }
    }

    /* Told at once when there are too many, before the statement that waits gets its turn: mostly it goes with the stream. */
    private void buffer(T row, Queue<T> waiting) {
        waiting.offer(row);
        drain();
        int size = waiting.size();
        if (size > level.transaction().settings().rowBuffer) {
            failure = level.transaction().tooManyRows();
            overflown = true;
            drain();
        } else if (size > 0) {
            level.transaction().buffered();
        }
    }

    @Override
    public void onError(Throwable e) {
        fail(e);
    }

    @Override
    public void onComplete() {
        over();
    }

    @Override
    void deliver() {
        done = true;
        drain();
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(WANTED, this, n);
            if (buffer == null) {
                Operators.addCap(UNASKED, this, n);
                forward();
            } else {
                drain();
            }
        }
    }

    @Override
    public void cancel() {
        left = true;
        readAll();
        level.stopWaiting(this);
        drain();
    }

    private void readAll() {
        UNASKED.set(this, Long.MAX_VALUE);
        forward();
    }

    private void forward() {
        Subscription reading = rows;
        if (reading != null) {
            long n = UNASKED.getAndSet(this, 0);
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
            give();
            missed = DRAINING.addAndGet(this, -missed);
        } while (missed != 0);
    }

    private void give() {
        boolean over = done;
        Queue<T> waiting = buffer;
        if (waiting != null) {
            pass(waiting);
        }
        if (overflown || (over && (left || waiting == null || waiting.isEmpty()))) {
            tell();
        }
    }

    private void pass(Queue<T> waiting) {
        while (!left && !overflown && given < wanted) {
            T row = waiting.poll();
            if (row == null) {
                return;
            }
            given++;
            emit(row);
        }
        if (left || overflown) {
            Operators.onDiscardQueueWithClear(waiting, currentContext(), null);
        }
    }

    private void complete() {
        Throwable thrown = UserCode.complete(actual);
        if (thrown != null) {
            level.bodyThrew(thrown);
        }
    }

    private void tell() {
        if (!told) {
            told = true;
            Throwable ended = failure;
            if (left) {
                level.transaction().unseenByWhoLeft("statement", ended);
            } else if (ended == null) {
                complete();
            } else {
                UserCode.error(actual, ended);
            }
        }
    }
}
