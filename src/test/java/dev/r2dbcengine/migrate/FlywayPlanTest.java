package dev.r2dbcengine.migrate;

import static dev.r2dbcengine.migrate.FlywayStory.pick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.r2dbcengine.migrate.FlywayDatabase.Row;
import dev.r2dbcengine.migrate.ValidationProblem.Kind;
import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import dev.r2dbcengine.migrate.internal.model.FoundMigrations;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.plan.PlanOptions;
import dev.r2dbcengine.migrate.internal.plan.Planner;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flyway is the judge of states, order, checksums and validation. The file {@code golden/migrate/histories.txt} describes
 * how each history is created: Flyway writes it, SQL edits it; each {@code judge} compares.
 */
class FlywayPlanTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** One problem, as both report it. */
    private record Verdict(String kind, String version, String description) {}

    /** The result of both. */
    private record Judgement(List<Row> rows, List<Row> pending, List<Verdict> problems) {}

    @TestFactory
    List<DynamicTest> histories() throws IOException, URISyntaxException {
        List<DynamicTest> tests = FlywayStory.all("/golden/migrate/histories.txt").stream()
                .map(lines -> dynamicTest(lines.get(0), () -> tell(lines)))
                .toList();
        assertThat(tests).hasSizeGreaterThanOrEqualTo(30);
        return tests;
    }

    /** Random histories from fixed seeds. */
    @TestFactory
    Stream<DynamicTest> randomHistories() {
        return IntStream.range(0, 200).mapToObj(seed -> {
            List<String> lines = judged(new Random(seed));
            return dynamicTest("seed " + seed, () -> {
                try {
                    tell(lines);
                } catch (AssertionError e) {
                    throw new AssertionError(String.join("\n", lines), e);
                }
            });
        });
    }

    private static List<String> judged(Random random) {
        List<String> lines = FlywayStory.random(random);
        for (int i = 0; i < 4; i++) {
            lines.add("judge outOfOrder=" + random.nextBoolean() + " target="
                    + pick(random, "1", "2", "3?", "latest", "latest", "current", "next") + " ignore="
                    + pick(random, "*:future", "*:future", "*:missing", "*:ignored", "versioned:pending", "*:pending"));
        }
        return lines;
    }

    private void tell(List<String> lines) throws IOException, SQLException {
        try (FlywayDatabase database = new FlywayDatabase()) {
            Story story = new Story(database, Files.createTempDirectory(directory, "story"));
            for (String line : lines.subList(1, lines.size())) {
                story.tell(line);
            }
            assertThat(story.judged).isPositive();
        }
    }

    private static final class Story extends FlywayStory {
        private int judged;

        Story(FlywayDatabase database, Path files) {
            super(database, files);
        }

        @Override
        void tell(String command, String rest) throws IOException, SQLException {
            if (command.equals("judge")) {
                judge(settings(rest));
            } else {
                super.tell(command, rest);
            }
        }

        private static PlanOptions options(Map<String, String> settings) {
            PlanOptions options = PlanOptions.DEFAULT;
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                String value = setting.getValue();
                options = switch (setting.getKey()) {
                    case "target" -> options.target(value);
                    case "outOfOrder" -> options.outOfOrder(Boolean.parseBoolean(value));
                    case "ignore" -> options.ignore(value.split(",", -1));
                    case "baselineOnMigrate" -> options.baselineOnMigrate(MigrationVersion.of(value));
                    default -> options;
                };
            }
            return options;
        }

        private void judge(Map<String, String> settings) throws IOException, SQLException {
            judged++;
            Flyway flyway = flyway(settings);
            Judgement flyways = flywaysJudgement(flyway);
            Judgement ours = ourJudgement(settings);
            if (settings.containsKey("baselineOnMigrate") && ours != null && flyways != null) {
                // Flyway's validate does not know of it.
                assertThat(ours.rows).as("%s", settings).isEqualTo(flyways.rows);
            } else {
                assertThat(ours).as("%s", settings).isEqualTo(flyways);
            }
        }

        /** Null when it refuses. */
        private static @Nullable Judgement flywaysJudgement(Flyway flyway) {
            try {
                return new Judgement(
                        Row.ofFlyway(flyway),
                        Arrays.stream(flyway.info().pending()).map(Row::of).toList(),
                        flyway.validateWithResult().invalidMigrations.stream()
                                .map(problem -> new Verdict(
                                        problem.errorDetails.errorCode.toString(),
                                        problem.version,
                                        problem.description))
                                .toList());
            } catch (FlywayException refused) {
                return null;
            }
        }

        private @Nullable Judgement ourJudgement(Map<String, String> settings) throws IOException, SQLException {
            List<MigrationSource> sources = List.of(MigrationLocation.of("filesystem:" + files));
            PlaceholderSettings text = PlaceholderSettings.FLYWAY.values(settings);
            try {
                FoundMigrations found = MigrationFinder.find(sources, NamingRules.FLYWAY, text);
                MigrationPlan plan = Planner.plan(found.migrations(), database.history(), options(settings));
                return new Judgement(
                        Row.of(plan.migrations()),
                        Row.of(plan.pending()),
                        plan.validation().problems().stream()
                                .map(FlywayPlanTest::verdict)
                                .toList());
            } catch (InvalidMigrationException refused) {
                return null;
            }
        }
    }

    private static Verdict verdict(ValidationProblem problem) {
        MigrationVersion version = problem.migration().version();
        return new Verdict(
                code(problem.kind(), version == null ? "REPEATABLE" : "VERSIONED"),
                version == null ? "" : version.toString(),
                problem.migration().description());
    }

    private static String code(Kind kind, String sort) {
        return switch (kind) {
            case FAILED -> "FAILED_" + sort + "_MIGRATION";
            case MISSING -> "APPLIED_" + sort + "_MIGRATION_NOT_RESOLVED";
            case NOT_APPLIED -> "RESOLVED_" + sort + "_MIGRATION_NOT_APPLIED";
            case OUTDATED -> "OUTDATED_REPEATABLE_MIGRATION";
            case TYPE_MISMATCH, CHECKSUM_MISMATCH, DESCRIPTION_MISMATCH -> kind.name();
        };
    }
}
