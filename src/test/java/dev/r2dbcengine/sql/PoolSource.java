package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Connections of a small pool, counted. */
final class PoolSource implements ConnectionSource {

    private final ConnectionFactory factory;
    private final ConnectionPool pool;
    private final AtomicInteger borrowed = new AtomicInteger();
    private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

    PoolSource(ConnectionFactory factory, int size) {
        this.factory = factory;
        this.pool = new ConnectionPool(ConnectionPoolConfiguration.builder(factory)
                .initialSize(0)
                .maxSize(size)
                .maxAcquireTime(Duration.ofSeconds(20))
                .acquireRetry(0)
                .build());
    }

    @Override
    public Mono<Connection> borrow() {
        return pool.create().doOnNext(connection -> borrowed.incrementAndGet());
    }

    @Override
    public Mono<Void> giveBack(Connection connection, Outcome outcome) {
        return Mono.defer(() -> {
            outcomes.add(outcome);
            borrowed.decrementAndGet();
            Mono<Void> broken = outcome == Outcome.DISCARD
                    ? Mono.from(Dialect.unwrap(connection).close()).onErrorComplete()
                    : Mono.empty();
            return broken.then(Mono.from(connection.close()));
        });
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return Mono.fromDirect(factory.create());
    }

    @Override
    public Object identity(ContextView context) {
        return pool;
    }

    int borrowed() {
        return borrowed.get();
    }

    List<Outcome> outcomes() {
        return outcomes;
    }

    void close() {
        pool.disposeLater().block(Duration.ofSeconds(20));
    }
}
