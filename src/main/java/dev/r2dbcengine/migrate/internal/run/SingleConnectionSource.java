package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.ServerSession;
import io.r2dbc.spi.Connection;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The connection of a run as a source for its statements and units, which never overlap. The run closes it.
 *
 * @param connection the connection of the run
 * @param engine opens other connections, to terminate a statement
 */
record SingleConnectionSource(Connection connection, ConnectionSource engine) implements ConnectionSource {

    @Override
    public Mono<Connection> borrow() {
        return Mono.just(connection);
    }

    /** Closes a connection in an unknown state, which ends the run. */
    @Override
    public Mono<Void> giveBack(Connection borrowed, Outcome outcome) {
        return outcome == Outcome.KEEP ? Mono.empty() : close();
    }

    Mono<Void> close() {
        return Mono.defer(() -> Mono.fromDirect(connection.close()));
    }

    @Override
    public Mono<ServerSession> session(Connection lent) {
        return engine.session(lent);
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return engine.openUnpooled();
    }

    @Override
    public Object identity(ContextView context) {
        return connection;
    }
}
