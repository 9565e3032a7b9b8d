package dev.r2dbcengine;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Holds an in-memory database, which lives no longer than its last connection: one connection outside the pool, for as
 * long as the engine is open. A SHUTDOWN ends its session too; from then on the driver would silently make an empty
 * database of that name.
 */
final class KeepAliveConnection {
    private final Mono<Connection> source;
    private final Runnable lost;
    private final AtomicBoolean reported = new AtomicBoolean();
    private volatile @Nullable Connection connection;

    /**
     * Holds nothing yet.
     *
     * @param lost runs once, when it is found that somebody has shut the database down
     */
    KeepAliveConnection(Mono<Connection> source, Runnable lost) {
        this.source = source;
        this.lost = lost;
    }

    Mono<Void> hold() {
        return source.doOnNext(created -> connection = created).then();
    }

    /** Completes when it is known, and told, whether the database is still there. */
    Mono<Void> check() {
        return Mono.defer(() -> {
            Connection current = connection;
            return current == null ? Mono.empty() : check(current);
        });
    }

    Mono<Void> release() {
        return Mono.defer(() -> {
            Connection current = connection;
            connection = null;
            return current == null ? Mono.empty() : check(current).then(Mono.<Void>from(current.close()));
        });
    }

    private Mono<Void> check(Connection current) {
        return Flux.from(current.validate(ValidationDepth.LOCAL))
                .last(false)
                .onErrorReturn(false)
                .filter(alive -> !alive && !reported.getAndSet(true))
                .doOnNext(dead -> lost.run())
                .then();
    }
}
