package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** A history that is described line by line: Flyway writes it, SQL edits it. */
class FlywayStory {
    final FlywayDatabase database;
    final Path files;

    FlywayStory(FlywayDatabase database, Path files) {
        this.database = database;
        this.files = files;
    }

    /** The stories of a file, which empty lines part: the name of each, then its lines. */
    static List<List<String>> all(String resource) throws IOException, URISyntaxException {
        Path file = Path.of(
                Objects.requireNonNull(FlywayStory.class.getResource(resource)).toURI());
        return Arrays.stream(Files.readString(file).split("\n\n"))
                .map(story ->
                        story.lines().filter(line -> !line.startsWith("#")).toList())
                .filter(lines -> !lines.isEmpty())
                .toList();
    }

    /** Files, and a history that has little to do with them. */
    static List<String> random(Random random) {
        List<String> lines = new ArrayList<>(List.of("random", "migrate", "files" + randomFiles(random)));
        int rows = random.nextInt(7);
        for (int rank = 1; rank <= rows; rank++) {
            lines.add("sql insert into history values (" + rank + ", " + randomRow(random) + ", 'x', now(), 1, "
                    + (random.nextInt(6) > 0) + ")");
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

    static String pick(Random random, String... words) {
        return words[random.nextInt(words.length)];
    }

    final void tell(String line) throws IOException, SQLException {
        String[] words = line.trim().split(" +", 2);
        tell(words[0], words.length == 1 ? "" : words[1]);
    }

    void tell(String command, String rest) throws IOException, SQLException {
        switch (command) {
            case "files" -> write(rest.isEmpty() ? new String[0] : rest.split(" +"));
            case "file" -> write(rest.split(" +", 2)[0], rest.split(" +", 2)[1]);
            case "remove" -> Files.delete(files.resolve(rest));
            case "migrate" -> migrate(flyway(settings(rest)));
            case "baseline" -> flyway(Map.of("baseline", rest)).baseline();
            case "repair" -> flyway(settings(rest)).repair();
            case "sql" -> database.execute(database.quoted(rest.replace("history", "\"flyway_schema_history\"")));
            default -> throw new IllegalArgumentException(command + " " + rest);
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

    static Map<String, String> settings(String text) {
        return Stream.of(text.split(" +"))
                .filter(word -> !word.isEmpty())
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(word -> word[0], word -> word[1], (a, b) -> b, TreeMap::new));
    }

    Flyway flyway(Map<String, String> settings) {
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
}
