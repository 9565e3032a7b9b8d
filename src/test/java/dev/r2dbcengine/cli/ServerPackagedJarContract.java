package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Adds the login on a server. */
abstract class ServerPackagedJarContract extends PackagedJarContract {

    private final TestDatabase database;

    ServerPackagedJarContract(Server server) {
        this.database = TestDatabase.fresh(server);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Returns the URL without user and password. */
    private String url() {
        return database.url().replaceFirst("//.*@", "//");
    }

    @Override
    Map<String, String> environment() {
        return Map.of(
                "R2DBC_ENGINE_URL", url(),
                "R2DBC_ENGINE_USER", database.user(),
                "R2DBC_ENGINE_PASSWORD", database.password());
    }

    @Test
    void wrongPasswordIsReportedButNotShown() throws IOException {
        Files.writeString(directory.resolve("password"), "wr0ng\n");
        Called refused = new PackagedJar(directory)
                .run(Map.of(), "info", "--url", url(), "--user", database.user(), "--password-file", "password");

        assertThat(refused.exitCode()).isOne();
        assertThat(refused.out()).isEmpty();
        assertThat(refused.errors())
                .hasSize(2)
                .first()
                .asString()
                .contains("refused the login", "Check user and password", "--ask-password");
        assertThat(refused.err()).doesNotContain("wr0ng");
    }
}
