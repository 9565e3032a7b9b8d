package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** MariaDB or MySQL: one server for all databases of this JVM. */
final class MySqlFamilyServer implements TestServer {
    private final RunningServer running;

    private MySqlFamilyServer(RunningServer running) {
        this.running = running;
    }

    static MySqlFamilyServer mariadb() {
        return new MySqlFamilyServer(new RunningServer("mariadb", "test.mariadb.url", EmbeddedMariaDb::start));
    }

    /** There is no MySQL among the test dependencies: only a running one is used. */
    static MySqlFamilyServer mysql() {
        return new MySqlFamilyServer(new RunningServer("mysql", OnMySql.PROPERTY, () -> {
            throw new IllegalStateException("-D" + OnMySql.PROPERTY + " names no server");
        }));
    }

    @Override
    public ConnectionFactoryOptions database(String name) {
        return running.database(name);
    }

    @Override
    public Mono<Void> create(String database) {
        return administer(connection -> execute(connection, "create database `" + database + "`"));
    }

    /** Ends the sessions first: an open transaction would block the DROP for a day. */
    @Override
    public Mono<Void> drop(String database) {
        return administer(connection -> endSessions(connection, "'" + database + "'")
                .then(execute(connection, "drop database if exists `" + database + "`")));
    }

    @Override
    public Mono<Void> endOtherSessions(Connection connection) {
        return endSessions(connection, "database() and id <> connection_id()");
    }

    private Mono<Void> endSessions(Connection connection, String database) {
        return sessions(connection, database)
                .concatMap(id -> execute(connection, "kill " + id).onErrorComplete())
                .then();
    }

    private static Flux<Long> sessions(Connection connection, String database) {
        String sql = "select id from information_schema.processlist where db = " + database;
        return Flux.from(connection.createStatement(sql).execute())
                .concatMap(result -> result.map(row -> row.get(0, Long.class)))
                .collectList()
                .flatMapIterable(ids -> ids);
    }

    @Override
    public String countSessions(String database) {
        return "select cast(count(*) as signed) from information_schema.processlist where db = '" + database
                + "' and id <> connection_id()";
    }

    @Override
    public List<String> createUser(String database, String user, String password) {
        return List.of(
                "create user '" + user + "'@'%' identified by " + TestServer.quoted(password),
                "grant all on `" + database + "`.* to '" + user + "'@'%'");
    }

    @Override
    public String changePassword(String user, String password) {
        return "alter user '" + user + "'@'%' identified by " + TestServer.quoted(password);
    }

    @Override
    public Mono<Void> dropUser(String user) {
        return administer(connection -> execute(connection, "drop user if exists '" + user + "'@'%'"));
    }

    private Mono<Void> administer(Function<Connection, Mono<Void>> work) {
        return Mono.usingWhen(
                Mono.defer(() -> TestServer.connect(running.administration("mysql"))), work, Connection::close);
    }
}
