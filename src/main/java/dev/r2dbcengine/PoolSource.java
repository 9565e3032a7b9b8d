package dev.r2dbcengine;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.pool.PoolShutdownException;
import reactor.util.context.ContextView;

/** Connections from the pool of an engine, looked up at each borrow. */
final class PoolSource implements ConnectionSource {
    /** A driver may queue the close behind a statement that never ends. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Mono<ConnectionPool> pool;
    private final Mono<Connection> borrow;
    private final Function<? super ContextView, ?> identity;

    /** A pool that was shut down before it handed out a connection was evicted or closed meanwhile: look once more. */
    PoolSource(Mono<ConnectionPool> pool, Function<? super ContextView, ?> identity) {
        Mono<Connection> once = pool.flatMap(ConnectionPool::create);
        Mono<Connection> twice = once.onErrorResume(PoolShutdownException.class, e -> once);
        this.pool = pool;
        this.borrow = pool instanceof PoolLookup lookup ? new Borrow(lookup, once, twice) : twice;
        this.identity = identity;
    }

    @Override
    public Mono<Connection> borrow() {
        return borrow;
    }

    /** To discard, the driver's connection goes first: then the pool does not take it back. */
    @Override
    public Mono<Void> giveBack(Connection connection, Outcome outcome) {
        Mono<Void> back = new ReturnToPool(connection);
        return outcome == Outcome.DISCARD ? closeUnderPool(connection).then(back) : back;
    }

    private static Mono<Void> closeUnderPool(Connection pooled) {
        Connection driver = GatedPool.underPool(pooled);
        return driver == null
                ? Mono.empty()
                : Mono.defer(() -> Mono.<Void>from(driver.close()))
                        .timeout(CLOSE_TIMEOUT)
                        .onErrorComplete();
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return pool.flatMap(EnginePool::unpooled);
    }

    @Override
    public Object identity(ContextView context) {
        return identity.apply(context);
    }

    /** The same, and nothing between the borrower and the pool while that is known to be open. */
    private static final class Borrow extends Mono<Connection> {
        private final PoolLookup lookup;
        private final Mono<Connection> once;
        private final Mono<Connection> twice;

        Borrow(PoolLookup lookup, Mono<Connection> once, Mono<Connection> twice) {
            this.lookup = lookup;
            this.once = once;
            this.twice = twice;
        }

        @Override
        public void subscribe(CoreSubscriber<? super Connection> actual) {
            if (lookup.hit() instanceof GatedPool open) {
                open.borrow(actual, once);
            } else {
                twice.subscribe(actual);
            }
        }
    }
}
