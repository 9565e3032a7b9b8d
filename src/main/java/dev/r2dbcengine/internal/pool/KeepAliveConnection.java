package dev.r2dbcengine.internal.pool;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A connection outside the pool that keeps an in-memory database alive while its engine is open; H2 deletes the
 * database with its last connection. A SHUTDOWN closes this connection too, and the driver would then silently create
 * an empty database of the same name; {@link #check()} detects and reports that.
 */
final class KeepAliveConnection {
    private final Mono<Connection> source;
    private final Runnable lost;
    private final AtomicBoolean reported = new AtomicBoolean();
    private volatile @Nullable Connection connection;

    /**
     * Creates a keep-alive that is not connected.
     *
     * @param lost runs once, when a check finds that the database was shut down
     */
    KeepAliveConnection(Mono<Connection> source, Runnable lost) {
        this.source = source;
        this.lost = lost;
    }

    Mono<Void> hold() {
        return source.doOnNext(created -> connection = created).then();
    }

    /** Checks whether the database still exists, and reports its loss before completing. */
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
