package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Tests of an engine that run on every database server. */
abstract class ServerEngineContract extends EngineContract {
    ServerEngineContract(Server server) {
        super(server);
    }

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String at(int port) {
        return database.url().replace(":" + database.port() + "/", ":" + port + "/");
    }

    @Test
    void silentHostFailsWithinCreationTimeout() throws IOException {
        try (ServerSocket silent = listening()) {
            ReactiveEngineCache cache = ReactiveEngineCache.create();

            StepVerifier.create(cache.engine(at(silent.getLocalPort()) + "?maxCreateConnectionTime=PT0.3S")
                            .open())
                    .expectErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineOpenException.class)
                            .message()
                            .contains("127.0.0.1:" + silent.getLocalPort(), "did not answer in time")
                            .doesNotContain(database.password()))
                    .verify(LONG);
            assertThat(cache.engines()).isEmpty();
        }
    }

    /** A full queue of connections makes the system drop further ones, as a host does that is switched off. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void silentFirstHostIsPassedOver(boolean dropsConnections) throws IOException {
        try (ServerSocket silent = listening();
                Socket one = dropsConnections ? connectedTo(silent) : new Socket();
                Socket two = dropsConnections ? connectedTo(silent) : new Socket()) {
            String hosts = "@127.0.0.1:" + silent.getLocalPort() + "," + database.host() + ":" + database.port() + "/";
            String url = database.url().replace("@" + database.host() + ":" + database.port() + "/", hosts);
            ReactiveEngineCache cache = ReactiveEngineCache.create();

            StepVerifier.create(cache.engine(url + "?hostTimeout=PT0.2S")
                            .sql("select 1")
                            .map(Integer.class)
                            .one())
                    .expectNext(1)
                    .expectComplete()
                    .verify(LONG);
            assertThat(one.isConnected()).isEqualTo(two.isConnected()).isEqualTo(dropsConnections);
            cache.close().block(LONG);
        }
    }

    private static Socket connectedTo(ServerSocket server) throws IOException {
        return new Socket(server.getInetAddress(), server.getLocalPort());
    }

    @Test
    void closedPortIsReportedWithAdvice() throws IOException {
        int free;
        try (ServerSocket socket = listening()) {
            free = socket.getLocalPort();
        }

        StepVerifier.create(ReactiveEngineCache.create().engine(at(free)).open())
                .expectErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(EngineOpenException.class)
                        .message()
                        .contains("127.0.0.1:" + free, "could not be reached", "host and port")
                        .doesNotContain(database.password()))
                .verify(LONG);
    }

    /** As after a restart of the server: the pool detects lost connections before an acquisition gets one. */
    @Test
    void lostIdleConnectionsAreNotLent() {
        ConnectionPool pool = pool();
        List<Connection> idle = Flux.range(0, 3)
                .flatMap(i -> pool.create())
                .collectList()
                .flatMapIterable(all -> all)
                .concatMap(borrowed -> Mono.from(borrowed.close()).thenReturn(driver(borrowed)))
                .collectList()
                .blockOptional(LONG)
                .orElseThrow();
        database.endSessions().block(LONG);
        Flux.fromIterable(idle)
                .concatMap(ended -> Mono.defer(() -> Mono.from(ended.validate(ValidationDepth.LOCAL)))
                        .filter(alive -> !alive)
                        .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10))))
                .blockLast(LONG);

        StepVerifier.create(engine.sql("select 1").map(Integer.class).one())
                .expectNext(1)
                .verifyComplete();

        assertThat(pool.getMetrics().orElseThrow().allocatedSize()).isOne();
    }

    private static Connection driver(Connection pooled) {
        return (Connection) ((Wrapped<?>) pooled).unwrap();
    }

    @Test
    void missingDatabaseIsReportedWithAdvice() {
        String url = database.url().replace("/" + database.name(), "/nowhere");

        StepVerifier.create(ReactiveEngineCache.create().engine(url).open())
                .expectErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(EngineOpenException.class)
                        .message()
                        .contains("/nowhere", "no database of that name", "Create it")
                        .doesNotContain(database.password()))
                .verify(LONG);
    }
}
