package dev.r2dbcengine;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Holds an in-memory database, which lives no longer than its last connection: one connection outside the pool, for as
 * long as the engine is open.
 */
final class Keeper {
    private final Mono<Connection> source;
    private volatile @Nullable Connection connection;

    Keeper(Mono<Connection> source) {
        this.source = source;
    }

    Mono<Void> hold() {
        return source.doOnNext(arrived -> connection = arrived).then();
    }

    /** Lets the database go. Emits whether it was still there: a SHUTDOWN ends the session of the keeper as well. */
    Mono<Boolean> release() {
        return Mono.defer(() -> {
            Connection held = connection;
            if (held == null) {
                return Mono.just(true);
            }
            connection = null;
            return Mono.from(held.validate(ValidationDepth.LOCAL))
                    .onErrorReturn(false)
                    .flatMap(alive -> Mono.<Void>from(held.close()).thenReturn(alive));
        });
    }
}
