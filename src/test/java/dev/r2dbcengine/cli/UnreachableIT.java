package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar without a reachable database. */
class UnreachableIT {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void unreachableDatabaseIsAwaited() throws IOException {
        Called called = new PackagedJar(directory)
                .run(
                        Map.of(),
                        "info",
                        "--locations",
                        "filesystem:.",
                        "--wait",
                        "2s",
                        "--url",
                        "r2dbc:postgresql://ada:s3cret@127.0.0.1:" + closedPort() + "/shop");

        assertThat(called.exitCode()).isOne();
        assertThat(called.out()).isEmpty();
        assertThat(called.err())
                .contains("waiting for the database for ", "error The database has not answered for PT2S")
                .doesNotContain("s3cret", "\tat ", "SLF4J");
    }
}
