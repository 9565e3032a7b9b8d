package dev.r2dbcengine.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** One use of a connection: from the subscription of a call to its end and, with a statement, until its results are read. */
final class FakeUse {
    private final FakeConnection connection;
    private final String text;
    private final AtomicInteger open = new AtomicInteger(1);
    private final AtomicInteger unread = new AtomicInteger();
    private final Queue<FakeExchange<?>> exchanges = new ConcurrentLinkedQueue<>();

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
        }
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

    void abort(Throwable cause) {
        exchanges.forEach(exchange -> exchange.refuse(cause));
    }
}
