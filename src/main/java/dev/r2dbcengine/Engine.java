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
 * A handle on the engine of one database URL: a connection pool and a dialect, shared with every other handle of that
 * URL. A handle is cold and costs nothing; it may be kept, shared between threads, and used after the engine was closed,
 * which then opens anew.
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

    /** An engine whose dialect is that of its open pool. */
    static Engine of(
            Mono<ConnectionPool> pool,
            Supplier<String> name,
            Function<? super ContextView, ?> identity,
            Mono<Void> close,
            Mono<Void> replaceConnections,
            Listeners listeners) {
        Mono<Dialect> dialect = pool.map(open -> Dialect.of(open.getMetadata()));
        return of(pool, dialect, name, identity, close, replaceConnections, listeners);
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
     * An engine without a cache and without a pool, for integrations and tests: it has what its connections come from;
     * {@link #open()} and {@link #close()} do nothing.
     *
     * @param source where its connections come from; on MariaDB their sessions must be in UTC
     * @param dialect of the database that they lead to
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
     * An engine that is bound to an open unit of work: its statements run in that unit, and its units are savepoints of it,
     * without the Reactor Context having to tell. {@link #openConnection()} opens one outside the unit.
     *
     * @param work the unit; the engine is of use until that ends
     * @return a handle whose {@link #pool()} fails with {@link UnsupportedOperationException}; {@link #open()} and {@link
     *     #close()} do nothing
     */
    public static Engine on(Work work) {
        return withoutPool(UnitOfWork.on(work));
    }

    private static Engine withoutPool(UnitOfWork unitOfWork) {
        Mono<ConnectionPool> none = Mono.error(() -> new UnsupportedOperationException(
                "An engine made by Engine.on has no pool: use what its connections come from"));
        return new Engine(none, unitOfWork, Mono.empty(), Mono.empty(), Mono.empty());
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
     * What is particular to the database. Opens the engine unless it is open; that of a tenant engine is known without.
     *
     * @return the dialect
     */
    public Mono<Dialect> dialect() {
        return unitOfWork.dialect();
    }

    /**
     * A statement. Within a unit of work on this engine, of which the Reactor Context of its subscriber tells, it is one of
     * that unit's. Elsewhere it borrows a connection of its own for each execution and gives it back when the execution is
     * over, has failed, or was left. An engine that is evicted or closed before the connection was there is looked up again,
     * within {@code maxAcquireTime}.
     *
     * @param sql one statement, with parameters written {@code :name}
     * @return the statement, to be bound and executed; nothing is looked at before it is subscribed
     */
    public SqlStatement sql(String sql) {
        return unitOfWork.sql(sql);
    }

    /**
     * Units of work: one transaction on one connection of this engine.
     *
     * @return units as the defaults are, to be changed and run; nothing is looked at before a run is subscribed
     */
    public UnitOfWork unitOfWork() {
        return unitOfWork;
    }

    /**
     * This engine for libraries that take a factory and keep the Reactor Context, as Spring's {@code DatabaseClient} does.
     * Within a unit of work it yields the unit's connection, guarded as {@link Work#connection()} is; elsewhere one of the
     * pool, which closing gives back: an open transaction is rolled back then, and what was set by {@code set…} of the
     * connection does not reach its next borrower. jOOQ loses the Context: with it every connection is outside, and what is to be inside
     * takes {@link Work#connectionFactory()}.
     *
     * @return a factory; its metadata names the database by the URL's driver, without opening the engine. Those of one
     *     handle are equal, so that Spring's transaction manager and client may take one each
     */
    public ConnectionFactory connectionFactory() {
        return unitOfWork.connectionFactory();
    }

    /**
     * A new connection outside the pool, for what must not share one: session locks, migrations, {@code LISTEN}. Opens
     * the engine unless it is open. The caller closes the connection; closing the engine leaves it alone. A connection
     * that arrives after {@code maxCreateConnectionTime} or after a cancel is closed.
     *
     * @return a connection that belongs to the subscriber
     */
    public Mono<Connection> openConnection() {
        return unitOfWork.source().openUnpooled();
    }

    /**
     * Opens the engine unless it is open: proves that the database answers, without a statement. With {@link
     * EngineSettings.Builder#connectOnOpen connectOnOpen(false)} nothing connects, except what holds an in-memory
     * database, and nothing is proven; {@link #ping()} asks the database then.
     *
     * @return completes when the engine is open, or fails with {@link EngineOpenException}
     */
    public Mono<Void> open() {
        return open;
    }

    /**
     * Asks the database whether it answers: borrows a connection, makes a round trip, gives it back. Opens the engine
     * unless it is open.
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
     * Replaces the connections of the pool, for all handles of the engine: from now on no connection that is open, or being
     * opened, is lent again. An idle one is closed at the next acquisition or background eviction, a borrowed one when it is
     * released. For changes that a session sees only when it begins: a type that was created (PostgreSQL's driver reads the
     * types when it connects), {@code alter role … set}, another host behind a name. A migration run does this at its end.
     * An engine that is not open, or has no pool, is left as it is.
     *
     * @return completes at once
     */
    public Mono<Void> replaceConnections() {
        return replaceConnections;
    }

    /**
     * Closes the engine, for all its handles: no later subscription gets its pool, what is borrowed is awaited up to
     * {@link ReactiveEngineCache.Builder#closeTimeout the close timeout}, the data of an in-memory database is let go.
     * An engine that is being opened is closed as soon as it is open. The next subscription to any handle opens anew,
     * and so does one that was waiting. Closing twice, or an engine that is not open, is no error. Once subscribed,
     * closing goes on when the subscriber leaves. A tenant engine closes the engine of the Context's tenant.
     *
     * @return completes when the engine is closed
     */
    public Mono<Void> close() {
        return close;
    }
}
