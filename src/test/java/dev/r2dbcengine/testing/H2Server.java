package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Result;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** H2 in memory: a database is created with its first connection and removed with its last. */
final class H2Server implements TestServer {
    @Override
    public boolean isInMemory() {
        return true;
    }

    @Override
    public ConnectionFactoryOptions database(String name) {
        return ConnectionFactoryOptions.parse("r2dbc:h2:mem:///" + name);
    }

    @Override
    public Mono<Void> create(String database) {
        return Mono.empty();
    }

    @Override
    public Mono<Void> drop(String database) {
        return execute(database(database), "shutdown");
    }

    @Override
    public String countSessions(String database) {
        return "select cast(count(*) - 1 as int) from information_schema.sessions";
    }

    @Override
    public Mono<Void> endOtherSessions(Connection connection) {
        return execute(
                connection,
                "select abort_session(session_id) from information_schema.sessions where session_id <> session_id()");
    }

    @Override
    public List<String> createUser(String database, String user, String password) {
        return List.of(
                "create user \"" + user + "\" password " + TestServer.quoted(password),
                "grant alter any schema to \"" + user + "\"");
    }

    @Override
    public String changePassword(String user, String password) {
        return "alter user \"" + user + "\" set password " + TestServer.quoted(password);
    }

    @Override
    public Mono<Void> dropUser(String user) {
        return Mono.empty();
    }

    /** Uses a batch: a statement would be split at each semicolon. */
    @Override
    public Mono<Void> execute(Connection connection, String sql) {
        return Flux.from(connection.createBatch().add(sql).execute())
                .concatMap(Result::getRowsUpdated)
                .then();
    }
}
