package dev.r2dbcengine;

import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Keeps a pool from being shut down in the middle of a call: a call that enters before the shutdown delays it until the call
 * leaves, and a later one does not enter.
 */
final class ShutdownGate {
    private static final int SHUT = Integer.MIN_VALUE;

    /** The number of calls inside; once it is shut, with {@link #SHUT} added. */
    private final AtomicInteger inside = new AtomicInteger();

    private final Sinks.Empty<Void> empty = Sinks.empty();

    /**
     * Enters, unless the gate is shut.
     *
     * @return true: {@link #leave()} has to follow
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

    /** Refuses later calls; completes when no call is inside. */
    Mono<Void> shut() {
        return Mono.defer(() -> {
            if (inside.getAndUpdate(calls -> calls | SHUT) == 0) {
                empty.tryEmitEmpty();
            }
            return empty.asMono();
        });
    }
}
