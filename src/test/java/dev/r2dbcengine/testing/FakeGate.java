package dev.r2dbcengine.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Holds the calls of a {@link FakeBehaviour#waits} until the test releases them. */
public final class FakeGate {
    private final Queue<FakeExchange<?>> waiting = new ConcurrentLinkedQueue<>();
    private final Sinks.Empty<Void> reached = Sinks.empty();
    private volatile boolean open;

    FakeGate() {}

    /** Completes once a first call waits here; replayed to later subscribers. */
    public Mono<Void> reached() {
        return reached.asMono();
    }

    /** Releases all waiting and later calls, on the calling thread. */
    public void release() {
        open = true;
        for (FakeExchange<?> next = waiting.poll(); next != null; next = waiting.poll()) {
            next.release();
        }
    }

    void hold(FakeExchange<?> exchange) {
        waiting.add(exchange);
        reached.tryEmitEmpty();
        if (open) {
            release();
        }
    }
}
