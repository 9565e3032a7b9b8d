package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.work.BoundConnections;
import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.Work;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ValidationDepth;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A handle on the engine of one database URL: a connection pool and a dialect, shared by all handles of that URL.
 *
 * <p>A handle is cheap, immutable and thread-safe; nothing happens before one of its publishers is subscribed. It
 * remains usable after the engine was closed: the next subscription opens the engine again.
 */
public final class Engine {
    private final Mono<ConnectionPool> pool;
    private final UnitOfWork unitOfWork;
    private final Mono<Void> open;
    private final Mono<Void> close;
    private final Mono<Void> replaceConnections;

    private Engine(
            Mono<ConnectionPool> pool,
            UnitOfWork unitOfWork,
            Mono<Void> open,
            Mono<Void> close,
            Mono<Void> replaceConnections) {
        this.pool = pool;
        this.unitOfWork = unitOfWork;
        this.open = open;
        this.close = close;
        this.replaceConnections = replaceConnections;
    }

    /** Returns an engine whose dialect is derived from its open pool. */
    static Engine of(
            Mono<ConnectionPool> pool,
            Supplier<String> name,
            Function<? super ContextView, ?> identity,
            Mono<Void> close,
            Mono<Void> replaceConnections,
            Listeners listeners) {
        return of(pool, dialect(pool), name, identity, close, replaceConnections, listeners);
    }

    static Mono<Dialect> dialect(Mono<ConnectionPool> pool) {
        return pool.map(open -> Dialect.of(open.getMetadata()));
    }

    static Engine of(
            Mono<ConnectionPool> pool,
            Mono<Dialect> dialect,
            Supplier<String> name,
            Function<? super ContextView, ?> identity,
            Mono<Void> close,
            Mono<Void> replaceConnections,
            Listeners listeners) {
        UnitOfWork unitOfWork = UnitOfWork.on(
                new PoolSource(pool, identity), dialect, name, listeners.sql(), listeners.work(), listeners.bound());
        return new Engine(pool, unitOfWork, pool.then(), close, replaceConnections);
    }

    /**
     * Returns an engine without a cache and a pool, for integrations and tests. {@link #open()} and {@link #close()} do
     * nothing.
     *
     * @param source the source of its connections; on MariaDB the time zone of their sessions must be UTC
     * @param dialect the dialect of the database
     * @return a handle whose {@link #pool()} fails with {@link UnsupportedOperationException}
     */
    public static Engine on(ConnectionSource source, Dialect dialect) {
        Objects.requireNonNull(source, "source");
        UnitOfWork unitOfWork = UnitOfWork.on(
                source,
                Mono.just(dialect),
                dialect::name,
                SqlListener.NONE,
                WorkListener.DEFAULT,
                BoundConnections.NONE);
        return withoutPool(unitOfWork);
    }

    /**
     * Returns an engine that is bound to an open unit of work: its statements run in that unit, and its own units are
     * savepoints of it, independently of the Reactor Context. {@link #openConnection()} opens a connection outside the
     * unit.
     *
     * @param work the unit; the engine is usable until the unit completes
     * @return a handle whose {@link #pool()} fails with {@link UnsupportedOperationException}; {@link #open()} and
     *     {@link #close()} do nothing
     */
    public static Engine on(Work work) {
        return withoutPool(UnitOfWork.on(work));
    }

    private static Engine withoutPool(UnitOfWork unitOfWork) {
        Mono<ConnectionPool> none = Mono.error(() -> new UnsupportedOperationException(
                "An engine made by Engine.on has no pool: use its connection source"));
        return new Engine(none, unitOfWork, Mono.empty(), Mono.empty(), Mono.empty());
    }

    /**
     * Returns the pool of this engine, with the contract of {@link ReactiveEngineCache#pool(String)}.
     *
     * @return the shared pool, looked up at each subscription
     */
    public Mono<ConnectionPool> pool() {
        return pool;
    }

    /**
     * Returns the dialect of the database, opening the engine if necessary. A tenant engine knows its dialect without
     * opening.
     *
     * @return the dialect
     */
    public Mono<Dialect> dialect() {
        return unitOfWork.dialect();
    }

    /**
     * Creates a statement. If the subscriber's Reactor Context contains a unit of work of this engine, the statement
     * runs in that unit. Otherwise each execution acquires a connection and releases it on completion, error or
     * cancellation. If the engine is evicted or closed before the connection was acquired, the engine is opened again,
     * within {@code maxAcquireTime}.
     *
     * @param sql one statement, with parameters written {@code :name}
     * @return the statement, to be bound and executed; it is parsed on subscription
     */
    public SqlStatement sql(String sql) {
        return unitOfWork.sql(sql);
    }

    /**
     * Returns a unit of work with default settings: one transaction on one connection of this engine.
     *
     * @return the unit, to be configured and executed; nothing happens before an execution is subscribed
     */
    public UnitOfWork unitOfWork() {
        return unitOfWork;
    }

    /**
     * Returns a connection factory for libraries that propagate the Reactor Context, such as Spring's {@code
     * DatabaseClient}. Within a unit of work it emits the guarded connection of the unit, see {@link
     * Work#connection()}. Otherwise it emits a pooled connection, which {@code close()} releases: an open transaction
     * is rolled back, and values set through its {@code set…} methods do not reach the next user of the connection.
     * jOOQ does not propagate the Context, so its connections are always outside the unit; use {@link
     * Work#connectionFactory()} within one.
     *
     * @return a factory; its metadata is derived from the driver in the URL, without opening the engine. Factories of
     *     one handle are equal, so that Spring's transaction manager and client may use one each
     */
    public ConnectionFactory connectionFactory() {
        return unitOfWork.connectionFactory();
    }

    /**
     * Opens a connection outside the pool, for session locks, migrations or {@code LISTEN}, opening the engine if
     * necessary. The subscriber owns the connection and must close it; closing the engine does not. A connection that
     * is created after {@code maxCreateConnectionTime} or after a cancellation is closed.
     *
     * @return the new connection
     */
    public Mono<Connection> openConnection() {
        return unitOfWork.source().openUnpooled();
    }

    /**
     * Opens the engine if it is not open, which connects to the database but runs no statement. With {@link
     * EngineSettings.Builder#connectOnOpen connectOnOpen(false)} it does not connect, except to keep an in-memory
     * database alive; use {@link #ping()} to check the database then.
     *
     * @return completes when the engine is open; fails with {@link EngineOpenException}
     */
    public Mono<Void> open() {
        return open;
    }

    /**
     * Checks that the database answers: acquires a connection, makes one round trip and releases it, opening the engine
     * if necessary.
     *
     * @return completes if the database answered, fails otherwise
     */
    public Mono<Void> ping() {
        return unitOfWork
                .source()
                .<Boolean>one(connection -> Flux.from(connection.validate(ValidationDepth.REMOTE)))
                .filter(valid -> valid)
                .switchIfEmpty(Mono.error(() ->
                        new IllegalStateException("The database did not answer: its connection is no longer valid")))
                .then();
    }

    /**
     * Replaces the connections of the pool, for all handles of the engine: connections that are open or being created
     * now are not lent again. Idle connections are closed at the next acquisition or background eviction, acquired ones
     * on release. Use this for changes that are visible only to new sessions: a new type (PostgreSQL's driver reads the
     * types when it connects), {@code alter role … set}, a changed DNS entry. A migration run does this when it
     * completes. Has no effect on an engine that is not open or has no pool.
     *
     * @return completes immediately
     */
    public Mono<Void> replaceConnections() {
        return replaceConnections;
    }

    /**
     * Closes the engine, for all its handles: its pool lends no more connections, acquired connections are awaited up
     * to {@linkplain ReactiveEngineCache.Builder#closeTimeout the close timeout}, and an in-memory database is
     * released. An engine that is opening is closed as soon as it is open. Waiting and later subscribers open a new
     * engine. Closing twice, or closing an engine that is not open, is not an error. Once subscribed, closing continues
     * if the subscriber cancels. A tenant engine closes the engine of the tenant in the subscriber's Context.
     *
     * @return completes when the engine is closed
     */
    public Mono<Void> close() {
        return close;
    }
}
