package dev.r2dbcengine.integration.junit;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Where this room blocks, and the only place: JUnit goes on when a method of an extension returns, and knows no other way
 * to wait for it. It calls on threads of its own, which may block.
 */
final class Await {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private Await() {}

    static <T> @Nullable T value(String what, Mono<T> awaited) {
        return value(what, awaited, LIMIT);
    }

    /* Fails as it does, or when it takes longer than anything that still goes on. */
    static <T> @Nullable T value(String what, Mono<T> awaited, Duration limit) {
        return awaited.timeout(
                        limit,
                        Mono.error(() -> new IllegalStateException(
                                what + " was not over within " + limit + ": does a test hold a lock or a connection?",
                                new TimeoutException())))
                .block();
    }
}
