package dev.r2dbcengine.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One use of a connection: from the subscription of a call to its end and, with a statement, until its results are read. */
final class FakeUse {
    private final FakeConnection connection;
    private final String text;
    private final AtomicInteger open = new AtomicInteger(1);
    private final AtomicInteger unread = new AtomicInteger();
    private final Queue<FakeExchange<?>> exchanges = new ConcurrentLinkedQueue<>();
    private volatile @Nullable FakeUse before;
    private volatile @Nullable FakeUse behind;
    private volatile @Nullable Throwable aborted;

    FakeUse(FakeConnection connection, String text) {
        this.connection = connection;
        this.text = text;
    }

    String text() {
        return text;
    }

    void began(FakeExchange<?> exchange) {
        exchanges.add(exchange);
    }

    void ended(FakeExchange<?> exchange) {
        exchanges.remove(exchange);
        if (open.decrementAndGet() == 0) {
            connection.release(this);
            FakeUse next = behind;
            if (next != null) {
                next.proceed();
            }
        }
    }

    /** Answers after another use, as a driver does that queues its calls. */
    void follow(FakeUse other) {
        before = other;
        other.behind = this;
    }

    boolean waits() {
        FakeUse other = before;
        return other != null && other.open.get() > 0;
    }

    void resultEmitted() {
        open.incrementAndGet();
        unread.incrementAndGet();
    }

    void resultRead() {
        unread.decrementAndGet();
    }

    /** No call is in flight, and the results wait to be read. */
    boolean isUnread() {
        return open.get() == unread.get();
    }

    private void proceed() {
        Throwable cause = aborted;
        if (cause == null) {
            exchanges.forEach(FakeExchange::proceed);
        } else {
            abort(cause);
        }
    }

    /** Fails the calls in flight, in the order in which they were sent. */
    void abort(Throwable cause) {
        aborted = cause;
        FakeUse other = before;
        if (other != null && other.open.get() > 0) {
            other.abort(cause);
        }
        exchanges.forEach(exchange -> exchange.refuse(cause));
    }
}
