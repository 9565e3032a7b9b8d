package dev.r2dbcengine.testing;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/**
 * A call with an effect on the connection and without results: begin and end of a transaction, savepoints, settings.
 */
final class FakeStep<T> extends FakeExchange<T> {
    private final FakeConnection connection;
    private final FakeUse use;
    private final List<T> values;
    private final Runnable effect;

    FakeStep(
            FakeDriver driver,
            FakeConnection connection,
            Subscriber<? super T> subscriber,
            Call call,
            String detail,
            List<T> values,
            Runnable effect) {
        super(driver, subscriber, call, connection.number(), detail);
        this.connection = connection;
        this.use = new FakeUse(connection, call.with(detail));
        this.values = values;
        this.effect = effect;
    }

    @Override
    @Nullable Throwable begin() {
        use.began(this);
        return connection.enter(use);
    }

    @Override
    Iterator<T> answer() {
        return values.iterator();
    }

    @Override
    boolean waits() {
        return use.waits();
    }

    @Override
    void ended(End end) {
        if (end == End.COMPLETED) {
            effect.run();
        }
        use.ended(this);
    }
}
