package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import io.r2dbc.spi.Connection;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The connection of a run, for statements and units of work one after the other. They never meet, since a run does one
 * thing at a time and is not cancelled; who closes it does so after all of them.
 *
 * @param connection the run's
 * @param engine opens others, for a statement that is to be ended from outside
 */
record SingleConnectionSource(Connection connection, Mono<Connection> engine) implements ConnectionSource {

    @Override
    public Mono<Connection> borrow() {
        return Mono.just(connection);
    }

    /** One whose state is not known is not used again: closing it ends the run. */
    @Override
    public Mono<Void> giveBack(Connection borrowed, Outcome outcome) {
        return outcome == Outcome.KEEP ? Mono.empty() : close();
    }

    Mono<Void> close() {
        return Mono.defer(() -> Mono.fromDirect(connection.close()));
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return engine;
    }

    @Override
    public Object identity(ContextView context) {
        return connection;
    }
}
