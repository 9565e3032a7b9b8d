package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

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
                "R2E_URL", url(),
                "R2E_USER", database.user(),
                "R2E_PASSWORD", database.password());
    }

    /** Returns a statement that runs for minutes. */
    abstract String longStatement();

    /** Returns a query for the number of sessions that run a statement beginning with a text. */
    abstract String countRunning(String beginning);

    /* Pipelines and Kubernetes end a process in this way. Windows has no such signal. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void sigtermCancelsStatementAndReleasesLock() throws IOException {
        script("V3__long.sql", longStatement() + ";\n");
        PackagedJar.Running migrate = new PackagedJar(directory).start(variables(), "migrate", "--json");
        database.query(countRunning(longStatement()), Integer.class)
                .repeatWhen(again -> again.delayElements(Duration.ofMillis(20)))
                .takeUntil(List.of(1)::equals)
                .blockLast();
        migrate.process().destroy();
        Called terminated = migrate.result();

        assertThat(terminated.exitCode()).as(terminated.toString()).isEqualTo(143);
        assertThat(terminated.json().at("exitCode").number()).isEqualTo(143);
        assertThat(terminated.err()).contains("Interrupted.", "The lock is released");
        assertThat(database.query(countRunning(longStatement()), Integer.class).block())
                .containsExactly(0);
        assertThat(database.sessionsSettlingAt(0).block()).isZero();
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
