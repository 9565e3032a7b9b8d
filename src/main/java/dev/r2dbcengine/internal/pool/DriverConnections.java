package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.internal.blocking.WorkerConnection;
import dev.r2dbcengine.internal.pool.ConnectionAttempt.Created;
import dev.r2dbcengine.sql.ServerSession;
import dev.r2dbcengine.sql.SessionStatements;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Result;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Creates connections of the driver, wraps those of a blocking driver, and runs the {@code onConnect} statements. */
final class DriverConnections {
    private final Mono<ConnectionFactory> driver;
    private final List<String> onConnect;
    private final ConnectionFactoryMetadata expected;
    private volatile @Nullable ConnectionFactoryMetadata actual;

    /** The sessions of the open connections, which a caller may close without notice. */
    private final Map<Connection, ServerSession> sessions = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * Creates a source of connections.
     *
     * @param driver subscribed for each connection, since credentials may change
     * @param expected the metadata to report before the first connection
     * @param onConnect statements that run on each new connection
     */
    DriverConnections(Mono<ConnectionFactory> driver, ConnectionFactoryMetadata expected, List<String> onConnect) {
        this.driver = driver;
        this.expected = expected;
        this.onConnect = onConnect;
    }

    Mono<Created> create() {
        return driver.flatMap(factory -> create(factory, onConnect));
    }

    /** Creates a connection unless the check fails. */
    Mono<Created> createAfter(Mono<Void> check) {
        return check.then(driver).flatMap(factory -> create(factory, onConnect));
    }

    /** Creates a connection without {@code onConnect}, for keep-alive connections. */
    Mono<Created> createWithoutOnConnect() {
        return driver.flatMap(factory -> create(factory, List.of()));
    }

    private Mono<Created> create(ConnectionFactory factory, List<String> statements) {
        Dialect dialect = Dialect.of(factory.getMetadata());
        return Mono.<Connection>fromDirect(factory.create())
                .map(connection -> dialect.has(Feature.BLOCKING) ? new WorkerConnection(connection) : connection)
                .map(connection -> new Created(
                        connection,
                        Mono.fromRunnable(() -> reached(dialect.of(connection.getMetadata()), factory.getMetadata()))
                                .then(readSession(connection, dialect))
                                .thenEmpty(run(statements, connection))));
    }

    /* Keeps the name that the driver reports, unless that is the name of another server. */
    private void reached(Dialect server, ConnectionFactoryMetadata reported) {
        actual = server.equals(Dialect.of(reported)) ? reported : server::name;
    }

    private Mono<ServerSession> readSession(Connection connection, Dialect dialect) {
        return SessionStatements.session(connection, dialect)
                .doOnNext(session -> sessions.put(Dialect.unwrap(connection), session));
    }

    /* A batch, since drivers may split a plain statement at semicolons. */
    private static Mono<Void> run(List<String> statements, Connection connection) {
        return Flux.fromIterable(statements)
                .concatMap(sql ->
                        Flux.from(connection.createBatch().add(sql).execute()).concatMap(Result::getRowsUpdated))
                .then();
    }

    Mono<ServerSession> session(Connection connection) {
        return Mono.fromSupplier(() -> sessions.get(connection));
    }

    ConnectionFactoryMetadata metadata() {
        ConnectionFactoryMetadata metadata = actual;
        return metadata == null ? expected : metadata;
    }

    /** Returns whether {@code onConnect} statements run on each connection. */
    boolean hasOnConnect() {
        return !onConnect.isEmpty();
    }
}
