package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.BrokenListener;
import dev.r2dbcengine.testing.CapturedLogs;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.StepVerifier;

/** Options beside Flyway's defaults, all at once: each has a part in what comes out. */
class MigrationRunnerOptionsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void customNamingPlaceholdersAndTableAreUsed(@TempDir Path scripts) throws IOException {
        Files.writeString(scripts.resolve("M7--create_it.ddl"), "create table <<name>> (note varchar(20));");
        Files.writeString(scripts.resolve("A--again.ddl"), "insert into <<name>> values ('${kept}');");
        Files.writeString(scripts.resolve("S5--baseline.ddl"), "create table of_baseline (id int);");
        Engine engine = ReactiveEngineCache.create().engine("r2dbc:h2:mem:///options");
        MigrationRunner runner = MigrationRunner.on(engine)
                .locations("filesystem:" + scripts)
                .encoding(StandardCharsets.UTF_8)
                .sqlMigrationPrefix("M")
                .repeatableSqlMigrationPrefix("A")
                .baselineMigrationPrefix("S")
                .sqlMigrationSeparator("--")
                .sqlMigrationSuffixes(".ddl")
                .validateMigrationNaming(true)
                .placeholderReplacement(true)
                .placeholderPrefix("<<")
                .placeholderSuffix(">>")
                .placeholders(Map.of("name", "made"))
                .table("log")
                .installedBy("tester")
                .createSchemas(true)
                .target("latest")
                .outOfOrder(true)
                .validateOnMigrate(true)
                .baselineOnMigrate(false)
                .baselineVersion("1")
                .baselineDescription("start")
                .ignoreMigrationPatterns("*:missing")
                .mixed(false)
                .skipExecutingMigrations(false)
                .lockTimeout(LONG);

        StepVerifier.create(runner.migrate())
                .assertNext(report -> assertThat(report.applied())
                        .extracting(applied -> applied.migration().script())
                        .containsExactly("S5--baseline.ddl", "M7--create_it.ddl", "A--again.ddl"))
                .expectComplete()
                .verify(LONG);

        StepVerifier.create(
                        engine.sql("select note from made").map(String.class).all())
                .expectNext("${kept}")
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(engine.sql("select \"installed_by\" from \"log\" where \"version\" = '7'")
                        .map(String.class)
                        .one())
                .expectNext("tester")
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(runner.info().map(List::size))
                .expectNext(3)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void invalidOptionIsRefusedAtTheCall() {
        MigrationRunner runner = MigrationRunner.on(ReactiveEngineCache.create().engine("r2dbc:h2:mem:///refusing"));

        assertRefused(() -> runner.locations("filesystem:here", "s3://x"), "'s3://x' is no location");
        assertRefused(() -> runner.target("1.x"), "'1.x' is no version");
        assertRefused(() -> runner.baselineVersion(""), "'' is no version");
        assertRefused(() -> runner.ignoreMigrationPatterns("new:missing"), "'new:missing' is no pattern");
        assertRefused(() -> runner.placeholderPrefix(""), "The placeholder prefix is empty");
        assertRefused(() -> runner.placeholderSuffix(""), "The placeholder suffix is empty");
        assertRefused(() -> runner.sqlMigrationSeparator(""), "The separator is empty");
        assertRefused(runner::sqlMigrationSuffixes, "No suffix");
        assertRefused(() -> runner.lockTimeout(Duration.ofSeconds(-1)), "lockTimeout is PT-1S: must not be negative");
        assertRefused(
                () -> runner.connectTimeout(Duration.ofSeconds(-1)), "connectTimeout is PT-1S: must not be negative");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message);
    }

    @Test
    void unsupportedDialectIsNamed() {
        Engine engine = ReactiveEngineCache.builder()
                .connectionFactory(options -> new FakeDriver("Oracle Database"))
                .build()
                .engine("r2dbc:oracle://host/db");

        StepVerifier.create(MigrationRunner.on(engine).locations().info())
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(InvalidMigrationException.class)
                        .hasMessage("The dialect ANSI cannot be migrated: it has no texts for the history and the lock."
                                + " Use H2, PostgreSQL or MariaDB, or give a Dialect with migrations(…)"))
                .verify(LONG);
    }

    @Test
    void waitForDatabaseIsReportedWithoutTheDriversMessage() {
        try (CapturedLogs logs = CapturedLogs.of(MigrationListener.class)) {
            MigrationListener.DEFAULT.connectionAwaited(
                    Duration.ofSeconds(3), new R2dbcTransientResourceException("secret", "08000", 7));

            assertThat(logs.events())
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("The database has been awaited for 3 s:"
                            + " io.r2dbc.spi.R2dbcTransientResourceException, code 7, SQLSTATE 08000");
        }
    }

    @Test
    void throwingListenerIsLogged(@TempDir Path scripts) throws IOException {
        Files.writeString(scripts.resolve("V1__good.sql"), "create table good (id int);");
        Files.writeString(scripts.resolve("V2__broken.sql"), "create tabel broken (id int);");
        Engine engine = ReactiveEngineCache.create().engine("r2dbc:h2:mem:///listened");
        MigrationRunner runner = MigrationRunner.on(engine)
                .locations("filesystem:" + scripts)
                .listener(BrokenListener.of(MigrationListener.class));

        try (CapturedLogs logs = CapturedLogs.of(MigrationRunner.class)) {
            StepVerifier.create(runner.migrate())
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(MigrationException.class)
                            .hasMessageContaining("V2__broken.sql")
                            .hasNoSuppressedExceptions())
                    .verify(LONG);

            assertThat(logs.events())
                    .allSatisfy(
                            event -> assertThat(event.getFormattedMessage()).isEqualTo("The migration listener failed"))
                    .extracting(event -> event.getThrowableProxy().getMessage())
                    .containsExactly(
                            "broken in ofRun",
                            "broken in connected",
                            "broken in planned",
                            "broken in started",
                            "broken in applied",
                            "broken in started",
                            "broken in failed",
                            "broken in ended");
        }
        StepVerifier.create(runner.info().map(all -> all.get(0).state()))
                .expectNext(MigrationState.SUCCESS)
                .expectComplete()
                .verify(LONG);
    }
}
