package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The driver's connections, made fit for use: kept off event loops if the driver blocks, and with {@code onConnect}. */
final class DriverConnections {
    private final Mono<ConnectionFactory> driver;
    private final List<String> onConnect;
    private final ConnectionFactoryMetadata expected;
    private volatile @Nullable ConnectionFactoryMetadata actual;

    /**
     * Connections to come.
     *
     * @param driver asked for each connection, since credentials may change
     * @param expected what the driver is, as far as known before it has been asked
     * @param onConnect statements that each connection runs first
     */
    DriverConnections(Mono<ConnectionFactory> driver, ConnectionFactoryMetadata expected, List<String> onConnect) {
        this.driver = driver;
        this.expected = expected;
        this.onConnect = onConnect;
    }

    Mono<Connection> create() {
        return createWithoutOnConnect().flatMap(this::runOnConnect);
    }

    /** Without {@code onConnect}: for one on which nobody works. */
    Mono<Connection> createWithoutOnConnect() {
        return driver.flatMap(factory -> {
            actual = factory.getMetadata();
            return Mono.<Connection>fromDirect(factory.create()).map(connection -> offEventLoops(factory, connection));
        });
    }

    ConnectionFactoryMetadata metadata() {
        ConnectionFactoryMetadata metadata = actual;
        return metadata == null ? expected : metadata;
    }

    /** Whether {@code onConnect} runs on each. */
    boolean hasOnConnect() {
        return !onConnect.isEmpty();
    }

    private static Connection offEventLoops(ConnectionFactory factory, Connection connection) {
        return Dialect.of(factory.getMetadata()).has(Feature.BLOCKING) ? new WorkerConnection(connection) : connection;
    }

    private Mono<Connection> runOnConnect(Connection connection) {
        if (onConnect.isEmpty()) {
            return Mono.just(connection);
        }
        // Through a batch, which no driver cuts at a semicolon inside one statement.
        return Flux.fromIterable(onConnect)
                .concatMap(sql ->
                        Flux.from(connection.createBatch().add(sql).execute()).concatMap(Result::getRowsUpdated))
                .then(Mono.just(connection))
                .doOnError(error -> ConnectionAttempt.discard(connection))
                .doOnCancel(() -> ConnectionAttempt.discard(connection));
    }
}
