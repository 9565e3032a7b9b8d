package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Result;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What {@link TestDatabase} needs to know of each kind of server. */
interface TestServer {
    /** How an administrator connects to this database. */
    ConnectionFactoryOptions database(String name);

    /** Creates a database. */
    Mono<Void> create(String database);

    /** Drops a database, whoever is connected to it. */
    Mono<Void> drop(String database);

    /** The query that counts the sessions on a database, without the one that asks. */
    String countSessions(String database);

    /** Ends all sessions on the database of this connection but its own, as an administrator does. */
    Mono<Void> endOtherSessions(Connection connection);

    /** What is executed in the database for a user who may do everything there. */
    List<String> createUser(String database, String user, String password);

    /** What is executed in the database for a user's new password. */
    String changePassword(String user, String password);

    /** Drops a user of a database that is gone. */
    Mono<Void> dropUser(String user);

    /** There is no server, and a database lives as long as its connections. */
    default boolean isInMemory() {
        return false;
    }

    /** Executes one statement. */
    default Mono<Void> execute(Connection connection, String sql) {
        return Flux.from(connection.createStatement(sql).execute())
                .concatMap(Result::getRowsUpdated)
                .then();
    }

    /** Executes one statement on a connection of its own. */
    default Mono<Void> execute(ConnectionFactoryOptions options, String sql) {
        return Mono.usingWhen(connect(options), connection -> execute(connection, sql), Connection::close);
    }

    static Mono<Connection> connect(ConnectionFactoryOptions options) {
        return Mono.defer(() -> Mono.fromDirect(ConnectionFactories.get(options).create()));
    }

    /** A literal for a password; one with a backslash would be another on MariaDB. */
    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
