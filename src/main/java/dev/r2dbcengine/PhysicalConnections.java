package dev.r2dbcengine;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What stands under a pool: makes its connections, closes them, and knows when the last one is gone. */
final class PhysicalConnections implements ConnectionFactory {
    private final String url;
    private final DriverConnections driver;
    private final Duration limit;
    private final @Nullable Keeper keeper;
    private final Sinks.Empty<Void> allClosed = Sinks.empty();

    /** The connections of the pool, those on their way among them, and one for the engine itself. */
    private final AtomicInteger open = new AtomicInteger(1);

    /**
     * None are made yet.
     *
     * @param limit for one to be made; zero: none
     * @param lost runs if the in-memory database is found to have been shut down; null: it is not in memory
     */
    PhysicalConnections(String url, DriverConnections driver, Duration limit, @Nullable Runnable lost) {
        this.url = url;
        this.driver = driver;
        this.limit = limit;
        this.keeper = lost == null ? null : new Keeper(arrival(driver::unprepared), lost);
    }

    /** Completes when the database is held, if it is one that must be. */
    Mono<Void> hold() {
        return keeper == null ? Mono.empty() : keeper.hold();
    }

    /** Lets the database go. */
    Mono<Void> release() {
        return keeper == null ? Mono.empty() : keeper.release();
    }

    /** For the pool, which gives each of them to {@link #close(Connection)} in the end. */
    @Override
    public Mono<Connection> create() {
        return new ConnectionArrival(this::connect, limit, open::incrementAndGet, this::leave);
    }

    private Mono<Connection> connect() {
        return keeper == null ? driver.create() : keeper.check().then(driver.create());
    }

    /** For whoever closes the connection himself. */
    Mono<Connection> unpooled() {
        return arrival(driver::create);
    }

    private Mono<Connection> arrival(Supplier<Mono<Connection>> source) {
        return new ConnectionArrival(source, limit, () -> {}, () -> {});
    }

    Publisher<Void> close(Connection connection) {
        return Mono.defer(() -> Mono.<Void>fromDirect(connection.close())).doFinally(signal -> leave());
    }

    /** Completes when the pool has closed them all. For one subscriber, after which no more are made. */
    Mono<Void> allClosed() {
        return Mono.defer(() -> {
            leave();
            return allClosed.asMono();
        });
    }

    /** How many are open, once {@link #allClosed()} is awaited. */
    int left() {
        return open.get();
    }

    private void leave() {
        if (open.decrementAndGet() == 0) {
            allClosed.tryEmitEmpty();
        }
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
        return driver.metadata();
    }

    @Override
    public String toString() {
        return url;
    }
}
