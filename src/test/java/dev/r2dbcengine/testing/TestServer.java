package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Result;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The differences between servers for {@link TestDatabase}. */
interface TestServer {
    /** Returns the administrator's options for a database. */
    ConnectionFactoryOptions database(String name);

    /** Creates a database. */
    Mono<Void> create(String database);

    /** Drops a database, even while it is in use. */
    Mono<Void> drop(String database);

    /** Returns the query that counts the other sessions of a database. */
    String countSessions(String database);

    /** Terminates all other sessions on the database of this connection, as an administrator does. */
    Mono<Void> endOtherSessions(Connection connection);

    /** Returns the statements that create a user with all rights on the database. */
    List<String> createUser(String database, String user, String password);

    /** Returns the statements that change a user's password. */
    String changePassword(String user, String password);

    /** Drops a user after its database was dropped. */
    Mono<Void> dropUser(String user);

    /** Returns whether there is no server and a database lives as long as its connections. */
    default boolean isInMemory() {
        return false;
    }

    /** Executes one statement. */
    default Mono<Void> execute(Connection connection, String sql) {
        return Flux.from(connection.createStatement(sql).execute())
                .concatMap(Result::getRowsUpdated)
                .then();
    }

    /** Executes one statement on its own connection. */
    default Mono<Void> execute(ConnectionFactoryOptions options, String sql) {
        return Mono.usingWhen(connect(options), connection -> execute(connection, sql), Connection::close);
    }

    static Mono<Connection> connect(ConnectionFactoryOptions options) {
        return Mono.defer(() -> Mono.fromDirect(ConnectionFactories.get(options).create()));
    }

    /** Returns a literal for a password; a backslash in it would change the value on MariaDB. */
    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
