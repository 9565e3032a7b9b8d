package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.pool.PoolShutdownException;
import reactor.util.retry.Retry;

/**
 * A handle on the engine of one database URL: a connection pool and a dialect, shared with every other handle of that
 * URL. A handle is cold and costs nothing; it may be kept, shared between threads, and used after the engine was closed,
 * which then opens anew.
 */
public final class Engine {
    private final Mono<ConnectionPool> pool;
    private final Mono<Void> close;

    Engine(Mono<ConnectionPool> pool, Mono<Void> close) {
        this.pool = pool;
        this.close = close;
    }

    /**
     * The pool of this engine; see {@link ReactiveEngineCache#pool(String)}, whose contract this is.
     *
     * @return the shared pool, looked up at each subscription
     */
    public Mono<ConnectionPool> pool() {
        return pool;
    }

    /**
     * What is particular to the database. Opens the engine unless it is open.
     *
     * @return the dialect
     */
    public Mono<Dialect> dialect() {
        return pool.map(open -> Dialect.of(open.getMetadata()));
    }

    /**
     * A new connection outside the pool, for what must not share one: session locks, migrations, {@code LISTEN}. Opens
     * the engine unless it is open. The caller closes the connection; closing the engine leaves it alone. A connection
     * that arrives after {@code maxCreateConnectionTime} or after a cancel is closed.
     *
     * @return a connection that belongs to the subscriber
     */
    public Mono<Connection> openConnection() {
        return pool.flatMap(EnginePool::unpooled);
    }

    /**
     * Opens the engine unless it is open: proves that the database answers, without a statement.
     *
     * @return completes when the engine is open, or fails with {@link EngineOpenException}
     */
    public Mono<Void> open() {
        return pool.then();
    }

    /**
     * Asks the database whether it answers: borrows a connection, makes a round trip, gives it back. Opens the engine
     * unless it is open.
     *
     * @return completes if the database answered, fails otherwise
     */
    public Mono<Void> ping() {
        return Mono.usingWhen(
                borrow(),
                connection -> Flux.from(connection.validate(ValidationDepth.REMOTE))
                        .last(false)
                        .flatMap(Engine::answered),
                Connection::close);
    }

    /**
     * Closes the engine, for all its handles: no later subscription gets its pool, what is borrowed is awaited up to
     * {@link ReactiveEngineCache.Builder#closeTimeout the close timeout}, the data of an in-memory database is let go.
     * An engine that is being opened is closed as soon as it is open. The next subscription to any handle opens anew,
     * and so does one that was waiting. Closing twice, or an engine that is not open, is no error. Once subscribed,
     * closing goes on when the subscriber leaves.
     *
     * @return completes when the engine is closed
     */
    public Mono<Void> close() {
        return close;
    }

    /** A pool that was shut down before it handed out a connection was evicted or closed meanwhile: look once more. */
    private Mono<Connection> borrow() {
        return pool.flatMap(ConnectionPool::create)
                .retryWhen(Retry.max(1)
                        .filter(PoolShutdownException.class::isInstance)
                        .onRetryExhaustedThrow((spec, signal) -> signal.failure()));
    }

    private static Mono<Void> answered(boolean valid) {
        return valid
                ? Mono.empty()
                : Mono.error(
                        new IllegalStateException("The database did not answer: its connection is no longer valid"));
    }
}
