package dev.r2dbcengine;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** What the pool has to give back, and whether a borrower has it. */
    private final Map<Connection, AtomicBoolean> handedOut = new ConcurrentHashMap<>();

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
        return new ConnectionArrival(this::connect, limit, open::incrementAndGet, this::leave)
                .doOnNext(made -> handedOut.put(made, new AtomicBoolean()));
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
        return Mono.defer(() -> handedOut.remove(connection) != null
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

    /** A borrower has it. */
    void lent(Connection connection) {
        hasBorrower(connection, true);
    }

    /** No borrower has it any more. */
    void returned(Connection connection) {
        hasBorrower(connection, false);
    }

    private void hasBorrower(Connection connection, boolean lent) {
        AtomicBoolean known = handedOut.get(connection);
        if (known != null) {
            known.set(lent);
        }
    }

    /**
     * Closes those that a pool which was shut down has forgotten, when nobody is on the way to one. reactor-pool puts one back
     * among its idle ones, at which nobody looks any more, if the borrower that it was meant for was turned away; and what it
     * counts may be wrong from then on.
     */
    Mono<Void> closeForgotten() {
        return Flux.fromIterable(handedOut.entrySet())
                .filter(entry -> !entry.getValue().get())
                .flatMap(entry -> close(entry.getKey()).onErrorComplete())
                .then();
    }

    /**
     * To be called once, after which no more are made.
     *
     * @return completes when the pool has closed them all
     */
    Mono<Void> awaitClosed() {
        leave();
        return allClosed.asMono();
    }

    /** How many are open, once {@link #awaitClosed()} is awaited. */
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
