package dev.r2dbcengine;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
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

    /** What the pool has to give back. */
    private final Set<Connection> handedOut = ConcurrentHashMap.newKeySet();

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
        return new ConnectionArrival(this::connect, limit, open::incrementAndGet, this::leave).doOnNext(handedOut::add);
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

    /** Once: reactor-pool may destroy twice what is released while it is shut down. */
    Mono<Void> close(Connection connection) {
        return Mono.defer(() -> handedOut.remove(connection)
                ? Mono.<Void>fromDirect(connection.close()).doFinally(signal -> leave())
                : Mono.empty());
    }

    /**
     * Whether the driver has seen its end, as after a restart of the server. It is only asked where it answers on the spot,
     * by a {@link Callable}; one that has to ask somebody else may be lost all the same.
     */
    static boolean isKnownToBeLost(Connection connection) {
        try {
            return connection.validate(ValidationDepth.LOCAL) instanceof Callable<?> answer
                    && !Boolean.TRUE.equals(answer.call());
        } catch (Exception e) {
            return true;
        }
    }

    /**
     * Closes those that a pool which was shut down has forgotten: it goes on to count them as idle. reactor-pool puts one
     * back among its idle ones, at which nobody looks any more, if the borrower that it was meant for was turned away.
     *
     * @param idle how many the pool counts; one that is on its way to a borrower, or out of the pool, is not among them
     */
    Mono<Void> closeForgotten(int idle) {
        return Mono.defer(() -> idle > 0 && idle == handedOut.size()
                ? Flux.fromIterable(handedOut)
                        .flatMap(connection -> close(connection).onErrorComplete())
                        .then()
                : Mono.empty());
    }

    /**
     * To be called once, after which no more are made.
     *
     * @return completes when the pool has closed them all
     */
    Mono<Void> allClosed() {
        leave();
        return allClosed.asMono();
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
