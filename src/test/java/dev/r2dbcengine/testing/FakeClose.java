package dev.r2dbcengine.testing;

import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/** Closes a connection; calls in flight on it fail, as they do when a socket is closed. */
final class FakeClose extends FakeExchange<Void> {
    private final FakeConnection connection;
    private final FakeUse use;
    private boolean first;
    private @Nullable FakeUse interrupted;

    FakeClose(FakeDriver driver, FakeConnection connection, Subscriber<? super Void> subscriber) {
        super(driver, subscriber, Call.CLOSE, connection.number(), "");
        this.connection = connection;
        this.use = new FakeUse(connection, Call.CLOSE.with(""));
    }

    @Override
    @Nullable Throwable begin() {
        first = connection.closing();
        if (first) {
            interrupted = connection.take(use);
        } else {
            connection.violated("close again");
        }
        return null;
    }

    @Override
    Iterator<Void> answer() {
        return Collections.emptyIterator();
    }

    @Override
    void ended(End end) {
        if (first) {
            connection.closed(end == End.COMPLETED);
            use.ended(this);
            FakeUse other = interrupted;
            if (other != null && end == End.COMPLETED) {
                other.abort(connection.closedError());
            }
        }
    }
}
