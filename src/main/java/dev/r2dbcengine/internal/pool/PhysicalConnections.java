package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.internal.pool.ConnectionAttempt.Created;
import dev.r2dbcengine.internal.url.Setting;
import dev.r2dbcengine.sql.ServerSession;
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

/** Creates, counts and closes the physical connections of a pool. */
public final class PhysicalConnections implements ConnectionFactory {
    /** A driver may queue the close behind a statement that never completes. */
    public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final String url;
    private final DriverConnections driver;
    private final Duration timeout;
    private final @Nullable KeepAliveConnection keepAlive;
    private final ShutdownGate gate;
    private final Runnable onOpenTransaction;
    private final Sinks.Empty<Void> allClosed = Sinks.empty();

    /** The number of connections that are open or being created, plus one until {@link #awaitClosed()}. */
    private final AtomicInteger open = new AtomicInteger(1);

    /** Connections of an earlier generation are not lent again. */
    private final AtomicInteger generation = new AtomicInteger();

    /** The open connections of the pool. */
    private final Map<Connection, ConnectionState> states = new ConcurrentHashMap<>();

    /**
     * Creates the factory without connecting.
     *
     * @param gate the gate of the pool
     * @param timeout the timeout to create a connection, and to reset one on release; zero means no limit
     * @param onOpenTransaction runs when a connection is released within a transaction
     * @param onDatabaseLost runs when an in-memory database was found to be shut down; null if it is not in memory
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
        this.keepAlive = onDatabaseLost == null
                ? null
                : new KeepAliveConnection(attempt(driver::createWithoutOnConnect), onDatabaseLost);
    }

    /** Opens the keep-alive connection of an in-memory database. */
    Mono<Void> holdDatabase() {
        return keepAlive == null ? Mono.empty() : keepAlive.hold();
    }

    /** Closes the keep-alive connection. */
    Mono<Void> releaseDatabase() {
        return keepAlive == null ? Mono.empty() : keepAlive.release();
    }

    /** Creates a connection for the pool, which passes it to {@link #close(Connection)} eventually. */
    @Override
    public Mono<Connection> create() {
        return Mono.defer(() -> {
            int startedIn = generation.get();
            return new ConnectionAttempt(
                            this::connect,
                            timeout,
                            Setting.MAX_CREATE_CONNECTION_TIME,
                            open::incrementAndGet,
                            this::connectionClosed)
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

    private Mono<Created> connect() {
        return keepAlive == null ? driver.create() : driver.createAfter(keepAlive.check());
    }

    /** Creates a connection outside the pool, which the caller closes. */
    Mono<Connection> unpooled() {
        return attempt(driver::create);
    }

    Mono<ServerSession> session(Connection connection) {
        return driver.session(connection);
    }

    private Mono<Connection> attempt(Supplier<Mono<Created>> source) {
        return new ConnectionAttempt(source, timeout, Setting.MAX_CREATE_CONNECTION_TIME, () -> {}, () -> {});
    }

    /**
     * Closes a connection once, since reactor-pool may destroy it twice if it is released during the shutdown. Fails
     * after {@link #CLOSE_TIMEOUT}, since the shutdown of a pool waits for this; the driver's close continues.
     */
    Mono<Void> close(Connection connection) {
        return Mono.defer(() -> states.remove(connection) != null
                ? Mono.<Void>fromDirect(connection.close())
                        .doFinally(signal -> connectionClosed())
                        .cache()
                        .timeout(CLOSE_TIMEOUT)
                : Mono.empty());
    }

    /**
     * Returns whether the driver knows that the connection is closed, for example after a restart of the server. Only
     * evaluates a validation that answers synchronously, as a {@link Callable}; otherwise returns false.
     */
    static boolean isKnownToBeLost(Connection connection) {
        try {
            return connection.validate(ValidationDepth.LOCAL) instanceof Callable<?> answer
                    && !Boolean.TRUE.equals(answer.call());
        } catch (Exception e) {
            return true;
        }
    }

    /** Marks a connection as lent. */
    void lent(Connection connection) {
        ConnectionState state = states.get(connection);
        if (state != null) {
            state.lent();
        }
    }

    /**
     * Restores the session settings of a connection before its release.
     *
     * @return completes immediately if nothing changed; on error, the connection must not be lent again
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

    /** Returns the publisher that completes the release of a connection. */
    Publisher<Void> completeRelease(Connection connection) {
        ConnectionState state = states.get(connection);
        return state == null ? Mono.empty() : state;
    }

    /** Makes the pool close a connection on release. */
    void discard(Connection connection) {
        ConnectionState state = states.get(connection);
        if (state != null) {
            state.discard();
        }
    }

    /** Discards a connection whose isolation level was set, if {@code onConnect} may have set another one before. */
    void isolationSet(Connection connection) {
        if (driver.hasOnConnect()) {
            discard(connection);
        }
    }

    /** Returns whether a connection must not be lent again. */
    boolean isDiscarded(Connection connection) {
        ConnectionState state = states.get(connection);
        return state == null || state.isDiscarded(generation.get());
    }

    /** Discards all connections that are open or being created. */
    void discardAll() {
        generation.incrementAndGet();
    }

    /**
     * Closes connections that a pool forgot when it was shut down. If the pool rejects an acquisition while it
     * validates a connection for it, reactor-pool returns the connection to its idle ones, which it does not close any
     * more, and its metrics may be wrong from then on. Must be called only while no acquisition is pending.
     */
    Mono<Void> closeForgotten() {
        return Flux.fromIterable(states.entrySet())
                .filter(entry -> !entry.getValue().isLent())
                .flatMap(entry -> close(entry.getKey()).onErrorComplete())
                .then();
    }

    /**
     * Waits until the pool has closed all connections. Must be called once, after the pool was shut down.
     *
     * @return completes when all connections are closed
     */
    Mono<Void> awaitClosed() {
        connectionClosed();
        return allClosed.asMono();
    }

    /** Returns the number of open connections; exact only after {@link #awaitClosed()} was subscribed. */
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
