package dev.r2dbcengine;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What stands under a pool: makes its connections, closes them, and knows when the last one is gone. */
final class PhysicalConnections implements ConnectionFactory {
    private final String url;
    private final DriverConnections driver;
    private final Duration timeout;
    private final @Nullable KeepAliveConnection keepAlive;
    private final ShutdownGate gate;
    private final Runnable onOpenTransaction;
    private final Sinks.Empty<Void> allClosed = Sinks.empty();

    /** The connections of the pool, those on their way among them, and one for the engine itself. */
    private final AtomicInteger open = new AtomicInteger(1);

    /** Connections of an earlier one are not lent again. */
    private final AtomicInteger generation = new AtomicInteger();

    /** What the pool has to give back. */
    private final Map<Connection, ConnectionState> states = new ConcurrentHashMap<>();

    /**
     * None are made yet.
     *
     * @param gate of the pool
     * @param limit for one to be made, and for one to be made fit for the next borrower; zero: none
     * @param leftOpen runs when one is released within a transaction
     * @param lost runs if the in-memory database is found to have been shut down; null: it is not in memory
     */
    PhysicalConnections(
            String url,
            DriverConnections driver,
            ShutdownGate gate,
            Duration timeout,
            Runnable onOpenTransaction,
            @Nullable Runnable onDatabaseLost) {
        this.url = url;
        this.driver = driver;
        this.gate = gate;
        this.timeout = timeout;
        this.onOpenTransaction = onOpenTransaction;
        this.keepAlive = onDatabaseLost == null ? null : new KeepAliveConnection(attempt(driver::createWithoutOnConnect), onDatabaseLost);
    }

    /** Completes when the database is held, if it is one that must be. */
    Mono<Void> holdDatabase() {
        return keepAlive == null ? Mono.empty() : keepAlive.hold();
    }

    /** Lets the database go. */
    Mono<Void> releaseDatabase() {
        return keepAlive == null ? Mono.empty() : keepAlive.release();
    }

    /** For the pool, which gives each of them to {@link #close(Connection)} in the end. */
    @Override
    public Mono<Connection> create() {
        return Mono.defer(() -> {
            int startedIn = generation.get();
            return new ConnectionAttempt(this::connect, timeout, open::incrementAndGet, this::connectionClosed)
                    .map(created -> register(created, startedIn));
        });
    }

    private Connection register(Connection created, int startedIn) {
        try {
            states.put(created, new ConnectionState(created, gate, startedIn));
            return created;
        } catch (RuntimeException e) {
            ConnectionAttempt.discard(created);
            connectionClosed();
            throw e;
        }
    }

    private Mono<Connection> connect() {
        return keepAlive == null ? driver.create() : keepAlive.check().then(driver.create());
    }

    /** For whoever closes the connection himself. */
    Mono<Connection> unpooled() {
        return attempt(driver::create);
    }

    private Mono<Connection> attempt(Supplier<Mono<Connection>> source) {
        return new ConnectionAttempt(source, timeout, () -> {}, () -> {});
    }

    /** Once: reactor-pool may destroy twice what is released while it is shut down. */
    Mono<Void> close(Connection connection) {
        return Mono.defer(() -> states.remove(connection) != null
                ? Mono.<Void>fromDirect(connection.close()).doFinally(signal -> connectionClosed())
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
        ConnectionState state = states.get(connection);
        if (state != null) {
            state.lent();
        }
    }

    /**
     * Undoes what the borrower has left on it.
     *
     * @return completes at once if that is nothing; on an error it must not be lent again
     */
    Mono<Void> restore(Connection connection) {
        ConnectionState state = states.get(connection);
        if (state == null) {
            return Mono.empty();
        }
        if (state.isUnchanged()) {
            state.released();
            return Mono.empty();
        }
        return reset(state).doFinally(end -> state.released());
    }

    private Mono<Void> reset(ConnectionState state) {
        if (state.isInTransaction()) {
            onOpenTransaction.run();
        }
        Mono<Void> reset = state.reset();
        return timeout.isZero() ? reset : reset.timeout(timeout);
    }

    /** The end of its release. */
    Publisher<Void> completeRelease(Connection connection) {
        ConnectionState state = states.get(connection);
        return state == null ? Mono.empty() : state;
    }

    /** Lets the pool close it at its release. */
    void discard(Connection connection) {
        ConnectionState state = states.get(connection);
        if (state != null) {
            state.discard();
        }
    }

    /** Its isolation level was set. What {@code onConnect} had set it to, the driver does not know. */
    void isolationSet(Connection connection) {
        if (driver.hasOnConnect()) {
            discard(connection);
        }
    }

    /** It must not be lent again. */
    boolean isDiscarded(Connection connection) {
        ConnectionState state = states.get(connection);
        return state == null || state.isDiscarded(generation.get());
    }

    /** Discards all that there are now, and those that the driver is connecting. */
    void discardAll() {
        generation.incrementAndGet();
    }

    /**
     * Closes those that a pool which was shut down has forgotten, when nobody is on the way to one. reactor-pool puts one back
     * among its idle ones, at which nobody looks any more, if the borrower that it was meant for was turned away; and what it
     * counts may be wrong from then on.
     */
    Mono<Void> closeForgotten() {
        return Flux.fromIterable(states.entrySet())
                .filter(entry -> !entry.getValue().isLent())
                .flatMap(entry -> close(entry.getKey()).onErrorComplete())
                .then();
    }

    /**
     * To be called once, after which no more are made.
     *
     * @return completes when the pool has closed them all
     */
    Mono<Void> awaitClosed() {
        connectionClosed();
        return allClosed.asMono();
    }

    /** How many are open, once {@link #awaitClosed()} is awaited. */
    int openCount() {
        return open.get();
    }

    private void connectionClosed() {
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
