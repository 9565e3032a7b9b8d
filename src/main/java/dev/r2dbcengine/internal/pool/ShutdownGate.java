package dev.r2dbcengine.internal.pool;

import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Delays the shutdown of a pool until concurrent calls have returned, and rejects later calls. A lock with many shared
 * holders and one final exclusive holder that does not block.
 */
public final class ShutdownGate {
    private static final int SHUT = Integer.MIN_VALUE;

    /** The number of calls inside; {@link #SHUT} is added when the gate is shut. */
    private final AtomicInteger inside = new AtomicInteger();

    private final Sinks.Empty<Void> empty = Sinks.empty();

    /**
     * Enters, unless the gate is shut.
     *
     * @return true if entered; the caller must then call {@link #leave()}
     */
    boolean enter() {
        return inside.getAndUpdate(calls -> calls < 0 ? calls : calls + 1) >= 0;
    }

    void leave() {
        if (inside.decrementAndGet() == SHUT) {
            empty.tryEmitEmpty();
        }
    }

    boolean isShut() {
        return inside.get() < 0;
    }

    /** Rejects later calls. Completes when no call is inside. */
    Mono<Void> shut() {
        return Mono.defer(() -> {
            if (inside.getAndUpdate(calls -> calls | SHUT) == 0) {
                empty.tryEmitEmpty();
            }
            return empty.asMono();
        });
    }
}
