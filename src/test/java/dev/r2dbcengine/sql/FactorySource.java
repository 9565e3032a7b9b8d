package dev.r2dbcengine.sql;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** A new connection each time, closed when it is given back. */
final class FactorySource implements ConnectionSource {

    private final ConnectionFactory factory;
    private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

    FactorySource(ConnectionFactory factory) {
        this.factory = factory;
    }

    @Override
    public Mono<Connection> borrow() {
        return Mono.fromDirect(factory.create());
    }

    @Override
    public Mono<Void> giveBack(Connection connection, Outcome outcome) {
        outcomes.add(outcome);
        return Mono.fromDirect(connection.close());
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return borrow();
    }

    @Override
    public Object identity(ContextView context) {
        return factory;
    }

    List<Outcome> outcomes() {
        return outcomes;
    }
}
