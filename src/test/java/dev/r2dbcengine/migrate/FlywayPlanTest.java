package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.r2dbcengine.migrate.FlywayDatabase.Row;
import dev.r2dbcengine.migrate.ValidationProblem.Kind;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flyway is the judge of states, order, checksums and validation. The file {@code golden/migrate/histories.txt} tells how
 * each history comes to be: Flyway writes it, SQL edits it; each {@code judge} compares.
 */
class FlywayPlanTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** What both say of one problem. */
    private record Verdict(String kind, String version, String description) {}

    /** What both say. */
    private record Judgement(List<Row> rows, List<Row> pending, List<Verdict> problems) {}

    @TestFactory
    List<DynamicTest> histories() throws IOException, URISyntaxException {
        Path golden = Path.of(Objects.requireNonNull(getClass().getResource("/golden/migrate/histories.txt"))
                .toURI());
        List<DynamicTest> tests = Arrays.stream(Files.readString(golden).split("\n\n"))
                .map(story ->
                        story.lines().filter(line -> !line.startsWith("#")).toList())
                .filter(lines -> !lines.isEmpty())
                .map(lines -> dynamicTest(lines.get(0), () -> tell(lines)))
                .toList();
        assertThat(tests).hasSizeGreaterThanOrEqualTo(30);
        return tests;
    }

    /** Histories that nobody would think of, from fixed seeds. */
    @TestFactory
    Stream<DynamicTest> randomHistories() {
        return IntStream.range(0, 200).mapToObj(seed -> {
            List<String> lines = randomStory(new Random(seed));
            return dynamicTest("seed " + seed, () -> {
                try {
                    tell(lines);
                } catch (AssertionError e) {
                    throw new AssertionError(String.join("\n", lines), e);
                }
            });
        });
    }

    private static List<String> randomStory(Random random) {
        List<String> lines = new ArrayList<>(List.of("random", "migrate", "files" + randomFiles(random)));
        int rows = random.nextInt(7);
        for (int rank = 1; rank <= rows; rank++) {
            lines.add("sql insert into history values (" + rank + ", " + randomRow(random) + ", 'x', now(), 1, "
                    + (random.nextInt(6) > 0) + ")");
        }
        for (int i = 0; i < 4; i++) {
            lines.add("judge outOfOrder=" + random.nextBoolean() + " target="
                    + pick(random, "1", "2", "3?", "latest", "latest", "current", "next") + " ignore="
                    + pick(random, "*:future", "*:future", "*:missing", "*:ignored", "versioned:pending", "*:pending"));
        }
        return lines;
    }

    private static String randomFiles(Random random) {
        return Stream.of("V1__v1 V2__v2 V3__v3 V4__v4 B1__b1 B2__b2 B3__b3 R__r1 R__r2".split(" "))
                .filter(name -> random.nextInt(name.startsWith("B") ? 4 : 2) == 0)
                .map(name -> " " + name + ".sql")
                .collect(Collectors.joining());
    }

    /** Version, description, type, script and checksum; the checksum is that of the file, or another one. */
    private static String randomRow(Random random) {
        String n = pick(random, "1", "2", "3", "4");
        String type = pick(random, "SQL", "SQL", "SQL", "SQL", "SQL_BASELINE", "DELETE", "BASELINE", "JDBC");
        boolean repeatable = (type.equals("SQL") || type.equals("DELETE")) && random.nextInt(3) == 0;
        String name = (repeatable ? "r" : type.equals("SQL_BASELINE") ? "b" : "v") + n;
        String script = (repeatable ? "R__" : name.toUpperCase(Locale.ROOT) + "__") + name + ".sql";
        CRC32 sum = new CRC32();
        sum.update(("select '" + script + "';").getBytes(StandardCharsets.UTF_8));
        Integer checksum = random.nextInt(4) == 0 ? Integer.valueOf(7) : Integer.valueOf((int) sum.getValue());
        return (repeatable ? "null" : "'" + n + "'") + ", '" + pick(random, name, name, name, "other") + "', '" + type
                + "', '" + script + "', " + checksum;
    }

    private static String pick(Random random, String... words) {
        return words[random.nextInt(words.length)];
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

    private static final class Story {
        private final FlywayDatabase database;
        private final Path files;
        private int judged;

        Story(FlywayDatabase database, Path files) {
            this.database = database;
            this.files = files;
        }

        void tell(String line) throws IOException, SQLException {
            String[] words = line.trim().split(" +", 2);
            String rest = words.length == 1 ? "" : words[1];
            switch (words[0]) {
                case "files" -> write(rest.isEmpty() ? new String[0] : rest.split(" +"));
                case "file" -> write(rest.split(" +", 2)[0], rest.split(" +", 2)[1]);
                case "remove" -> Files.delete(files.resolve(rest));
                case "migrate" -> migrate(flyway(settings(rest)));
                case "baseline" -> flyway(Map.of("baseline", rest)).baseline();
                case "repair" -> flyway(Map.of()).repair();
                case "sql" -> database.execute(rest.replace("history", "\"flyway_schema_history\""));
                case "judge" -> judge(settings(rest));
                default -> throw new IllegalArgumentException(line);
            }
        }

        private void write(String... names) throws IOException {
            for (String name : names) {
                write(name, "select '" + name + "';");
            }
        }

        private void write(String name, String text) throws IOException {
            Files.createDirectories(files.resolve(name).getParent());
            Files.writeString(files.resolve(name), text);
        }

        /** A script that fails is part of some stories. */
        private static void migrate(Flyway flyway) {
            try {
                flyway.migrate();
            } catch (FlywayException expected) {
                assertThat(expected).hasMessageContaining("nosuch");
            }
        }

        private static Map<String, String> settings(String text) {
            return Stream.of(text.split(" +"))
                    .filter(word -> !word.isEmpty())
                    .map(word -> word.split("=", 2))
                    .collect(Collectors.toMap(word -> word[0], word -> word[1], (a, b) -> b, TreeMap::new));
        }

        private Flyway flyway(Map<String, String> settings) {
            FluentConfiguration flyway = database.configure(getClass().getClassLoader(), "filesystem:" + files);
            settings.forEach((key, value) -> {
                switch (key) {
                    case "target" -> flyway.target(value);
                    case "outOfOrder" -> flyway.outOfOrder(Boolean.parseBoolean(value));
                    case "ignore" -> flyway.ignoreMigrationPatterns(value.split(",", -1));
                    case "baselineOnMigrate" -> flyway.baselineOnMigrate(true).baselineVersion(value);
                    case "baseline" -> flyway.baselineVersion(value);
                    case "x" -> flyway.placeholders(Map.of(key, value));
                    case "validate" -> flyway.validateOnMigrate(Boolean.parseBoolean(value));
                    default -> throw new IllegalArgumentException(key);
                }
            });
            return flyway.load();
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
            Scripts text = Scripts.of(settings);
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
