package dev.r2dbcengine.sql;

import io.r2dbc.spi.Connection;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** One connection of the caller's, which stays the caller's. */
record HeldConnectionSource(Connection connection) implements ConnectionSource {

    @Override
    public Mono<Connection> borrow() {
        return Mono.just(connection);
    }

    @Override
    public Mono<Void> giveBack(Connection borrowed, Outcome outcome) {
        return Mono.empty();
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return Mono.error(new UnsupportedOperationException());
    }

    @Override
    public Object identity(ContextView context) {
        return connection;
    }
}
