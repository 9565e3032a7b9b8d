package dev.r2dbcengine.integration.junit;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Blocks until a {@link Mono} terminates. This is the only place of the package that blocks: the methods of a JUnit
 * extension are synchronous and are called on JUnit's threads, which may block.
 */
final class Await {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private Await() {}

    static <T> @Nullable T value(String action, Mono<T> mono) {
        return value(action, mono, LIMIT);
    }

    /* Throws the error of the Mono, or an exception that names the action after the limit. */
    static <T> @Nullable T value(String action, Mono<T> mono, Duration limit) {
        return mono.timeout(
                        limit,
                        Mono.error(() -> new IllegalStateException(
                                action + " did not complete within " + limit
                                        + ": does a test hold a lock or a connection?",
                                new TimeoutException())))
                .block();
    }
}
