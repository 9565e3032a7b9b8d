package dev.r2dbcengine.testing;

import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Cancels a publisher at a given time; the first of both wins. It is used instead of {@code takeUntilOther}: a signal
 * during the subscription of that can overtake the subscription, and a {@code then} after it never completes (Reactor
 * 3.8).
 */
public final class Leaving {
    private Leaving() {}

    /** Cancels the publisher if it has not ended by then, and completes empty. */
    public static <T> Mono<T> after(Duration moment, Mono<T> run) {
        return Mono.firstWithSignal(Mono.delay(moment).then(Mono.empty()), run);
    }
}
