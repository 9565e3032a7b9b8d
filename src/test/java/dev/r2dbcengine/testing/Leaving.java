package dev.r2dbcengine.testing;

import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * A subscriber who leaves at a moment, the first one among them. Not by {@code takeUntilOther}: what ends that while it is
 * still being subscribed may overtake the subscription, and a {@code then} behind it waits for ever (Reactor 3.8).
 */
public final class Leaving {
    private Leaving() {}

    /** Cancels the run when it has not ended by then, and completes empty. */
    public static <T> Mono<T> after(Duration moment, Mono<T> run) {
        return Mono.firstWithSignal(Mono.delay(moment).then(Mono.empty()), run);
    }
}
