package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flyway is the judge of {@link MigrationRunner#repair()}: {@code scripts/repairs.txt} describes each history on two databases,
 * one of which Flyway repairs.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class RepairContract {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Server server;
    private final ReactiveEngineCache engines = ReactiveEngineCache.create();
    private final TestDatabase flywaysServer;
    private final TestDatabase ourServer;
    private FlywayDatabase flyways;
    private FlywayDatabase ours;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @SuppressWarnings("NullAway.Init") // before all tests
    RepairContract(Server server) {
        this.server = server;
        flywaysServer = TestDatabase.fresh(server).keepAlive();
        ourServer = TestDatabase.fresh(server).keepAlive();
    }

    @BeforeAll
    void connect() throws SQLException {
        flyways = new FlywayDatabase(server, flywaysServer);
        ours = new FlywayDatabase(server, ourServer);
    }

    @AfterAll
    void close() throws SQLException {
        engines.close().block(LONG);
        flyways.close();
        ours.close();
        flywaysServer.close();
        ourServer.close();
    }

    @TestFactory
    Stream<DynamicTest> historiesAreRepairedAsByFlyway() throws IOException, URISyntaxException {
        return FlywayStory.all("/scripts/repairs.txt").stream()
                .map(lines -> dynamicTest(lines.get(0), () -> tell(lines)));
    }

    /** Random histories from fixed seeds. */
    @TestFactory
    Stream<DynamicTest> randomHistoriesAreRepairedAsByFlyway() {
        return IntStream.range(0, Proof.rounds(6, 400)).mapToObj(seed -> {
            Random random = new Random(seed);
            List<String> lines = FlywayStory.random(random);
            lines.add("repair ignore=" + FlywayStory.pick(random, "*:future", "*:missing", "versioned:missing"));
            lines.add("repair");
            return dynamicTest("seed " + seed, () -> {
                try {
                    tell(lines);
                } catch (AssertionError e) {
                    throw new AssertionError(String.join("\n", lines), e);
                }
            });
        });
    }

    private void tell(List<String> lines) throws IOException, SQLException {
        forget(flyways);
        forget(ours);
        FlywayStory theirStory = new FlywayStory(flyways, Files.createTempDirectory(directory, "flyway"));
        FlywayStory ourStory = new OurStory(ours, Files.createTempDirectory(directory, "ours"));
        for (String line : lines.subList(1, lines.size())) {
            boolean refused = refuses(theirStory, line);
            assertThat(refuses(ourStory, line)).as(line).isEqualTo(refused);
            assertThat(ours.historyWithoutTimes()).as(line).isEqualTo(flyways.historyWithoutTimes());
        }
    }

    private static void forget(FlywayDatabase database) throws SQLException {
        database.execute(database.quoted("drop table if exists \"flyway_schema_history\""));
    }

    /** Flyway has histories that it does not look at, and so do we. */
    private static boolean refuses(FlywayStory story, String line) throws IOException, SQLException {
        try {
            story.tell(line);
            return false;
        } catch (FlywayException | InvalidMigrationException refused) {
            return true;
        }
    }

    private final class OurStory extends FlywayStory {
        OurStory(FlywayDatabase database, Path files) {
            super(database, files);
        }

        @Override
        void tell(String command, String rest) throws IOException, SQLException {
            if (command.equals("repair")) {
                repair(settings(rest));
            } else {
                super.tell(command, rest);
            }
        }

        private void repair(Map<String, String> settings) {
            MigrationRunner runner = MigrationRunner.on(engines.engine(ourServer.url()))
                    .locations("filesystem:" + files)
                    .ignoreMigrationPatterns(settings.getOrDefault("ignore", "*:future"))
                    .placeholders(settings);
            Objects.requireNonNull(runner.repair().block(LONG));
        }
    }
}
