package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.testing.WireTap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.StepVerifier;

/** Ports without a server, or with a server that starts later. */
class ConnectRetryIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ReactiveEngineCache engines = ReactiveEngineCache.create();

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private MigrationRunner runner(String url) {
        MemorySource scripts = MemorySource.of("V1__one.sql");
        return MigrationRunner.on(engines.engine(url)).locations().sources(scripts);
    }

    private static String at(int port, TestDatabase database) {
        return database.url().replace(":" + database.port() + "/", ":" + port + "/");
    }

    /** The first failed attempt is what opens the port. */
    @Test
    void serverThatStartsLaterIsMigrated() throws IOException {
        int port = freePort();
        AtomicReference<@Nullable WireTap> server = new AtomicReference<>();
        try (TestDatabase database = TestDatabase.fresh(Server.POSTGRESQL)) {
            MigrationListener starts = new MigrationListener() {
                @Override
                public void connectionAwaited(Duration waited, Throwable failure) {
                    try {
                        if (server.get() == null) {
                            server.set(new WireTap(database, port));
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };
            StepVerifier.create(runner(at(port, database) + "?sslMode=disable")
                            .listener(starts)
                            .connectTimeout(LONG)
                            .migrate())
                    .assertNext(report -> assertThat(report.applied()).hasSize(1))
                    .expectComplete()
                    .verify(LONG);
            Objects.requireNonNull(server.get()).close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void serverThatNeverStartsIsReported(Server server) throws IOException {
        try (TestDatabase database = TestDatabase.fresh(server)) {
            StepVerifier.create(runner(at(freePort(), database))
                            .connectTimeout(Duration.ofMillis(50))
                            .migrate())
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(MigrationException.class)
                            .hasMessageContainingAll("has not answered for PT0.05S", "raise connectTimeout")
                            .hasCauseInstanceOf(EngineOpenException.class))
                    .verify(LONG);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void wrongPasswordIsNotRetried(Server server) {
        try (TestDatabase database = TestDatabase.fresh(server)) {
            StepVerifier.create(runner(database.url(database.user(), "wrong"))
                            .connectTimeout(LONG)
                            .migrate())
                    .expectError(EngineOpenException.class)
                    .verify(LONG);
        }
    }
}
