package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.pool.ConnectionRelease;
import dev.r2dbcengine.internal.pool.EnginePool;
import dev.r2dbcengine.internal.pool.PhysicalConnections;
import dev.r2dbcengine.internal.pool.ShutdownSafePool;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.ServerSession;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.util.function.Function;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.pool.PoolShutdownException;
import reactor.util.context.ContextView;

/** A source of connections from the pool of an engine, which is looked up at each acquisition. */
final class PoolSource implements ConnectionSource {
    private final Mono<ConnectionPool> pool;
    private final Mono<Connection> acquire;
    private final Mono<Connection> lend;
    private final Function<? super ContextView, ?> identity;

    PoolSource(Mono<ConnectionPool> pool, Function<? super ContextView, ?> identity) {
        this.pool = pool;
        this.acquire = new Acquire(pool);
        this.lend = pool.flatMap(this::lend);
        this.identity = identity;
    }

    @Override
    public Mono<Connection> borrow() {
        return acquire;
    }

    @Override
    public Mono<Connection> lend() {
        return lend;
    }

    private Mono<Connection> lend(ConnectionPool open) {
        return open.create().onErrorResume(PoolShutdownException.class, e -> lend);
    }

    /** To discard a connection, closes the driver's connection before the release, so that the pool drops it. */
    @Override
    public Mono<Void> giveBack(Connection connection, Outcome outcome) {
        Mono<Void> release = new ConnectionRelease(connection);
        return outcome == Outcome.DISCARD ? closeUnderPool(connection).then(release) : release;
    }

    private static Mono<Void> closeUnderPool(Connection pooled) {
        Connection driver = ShutdownSafePool.underPool(pooled);
        return driver == null
                ? Mono.empty()
                : Mono.defer(() -> Mono.<Void>from(driver.close()))
                        .timeout(PhysicalConnections.CLOSE_TIMEOUT)
                        .onErrorComplete();
    }

    @Override
    public boolean isPipelined(Connection connection, Dialect dialect) {
        Connection driver = ShutdownSafePool.underPool(connection);
        return driver != null && dialect.isPipelined(driver);
    }

    @Override
    public Mono<ServerSession> session(Connection connection) {
        return pool.flatMap(open -> EnginePool.session(open, Dialect.unwrap(connection)));
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return pool.flatMap(EnginePool::unpooled);
    }

    @Override
    public Object identity(ContextView context) {
        return identity.apply(context);
    }

    /**
     * Acquires a connection. If the pool is shut down by an eviction or close before it lends one, repeats the lookup
     * within the acquire timeout. If the pool is known to be open, subscribes to it directly.
     */
    private static final class Acquire extends Mono<Connection> {
        private final Mono<ConnectionPool> pool;
        private final Mono<Connection> lookedUp;

        Acquire(Mono<ConnectionPool> pool) {
            this.pool = pool;
            this.lookedUp = pool.flatMap(this::of);
        }

        private Mono<Connection> of(ConnectionPool open) {
            return new Mono<>() {
                @Override
                public void subscribe(CoreSubscriber<? super Connection> actual) {
                    ((ShutdownSafePool) open).acquire(actual, Acquire.this);
                }
            };
        }

        @Override
        public void subscribe(CoreSubscriber<? super Connection> actual) {
            if (pool instanceof PoolLookup lookup && lookup.openPool() instanceof ShutdownSafePool open) {
                open.acquire(actual, this);
            } else {
                lookedUp.subscribe(actual);
            }
        }
    }
}
