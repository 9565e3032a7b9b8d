package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.internal.find.LocationPattern;
import dev.r2dbcengine.migrate.internal.find.MigrationFinder;
import dev.r2dbcengine.migrate.internal.model.FileName;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.model.ScriptSettings;
import dev.r2dbcengine.migrate.internal.plan.IgnorePatterns;
import dev.r2dbcengine.migrate.internal.script.BooleanExpression;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.RandomText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invariants for random names and settings. */
class HostileNamesTest {
    private static final int ROUNDS = 20_000;

    private static final RandomText TEXTS = RandomText.of(List.of(
            "V",
            "R",
            "B",
            "U",
            "1",
            "007",
            ".",
            "_",
            "__",
            "___",
            "x",
            "beforeMigrate",
            ".sql",
            ".SQL",
            ".conf",
            ".class",
            "/",
            "\\",
            "..",
            "*",
            "**",
            "?",
            ":",
            "*:*",
            "versioned",
            "missing",
            "=",
            "==",
            "!=",
            "&&",
            "||",
            "true",
            " ",
            "\n",
            "\r",
            "\t",
            "\0",
            "\u001b[31m",
            "\u202e",
            "\u2028",
            "\ud800",
            "\ud83d\ude00",
            "ı",
            "İ",
            "\ufeff",
            "#",
            "!",
            "executeInTransaction",
            "encoding",
            "shouldExecute=",
            "\\u00",
            "${",
            "}",
            "9".repeat(60)));

    @Test
    void fileNameHasOneKindAndItsVersionRoundTrips() {
        TEXTS.check(Proof.rounds(ROUNDS, 1_000_000), (name, chance) -> {
            FileName read = NamingRules.FLYWAY.read(name);
            if (read instanceof FileName.MigrationName migration && migration.version() != null) {
                String version = String.valueOf(migration.version());
                assertThat(MigrationVersion.of(version))
                        .isEqualTo(migration.version())
                        .hasToString(version);
                assertThat(name.substring(1).replace('_', '.')).startsWith(version);
            }
            if (name.toLowerCase(Locale.ROOT).endsWith(".sql")) {
                assertThat(read).isNotInstanceOf(FileName.Other.class);
            } else {
                assertThat(read).isInstanceOfAny(FileName.Other.class, FileName.Stray.class);
            }
        });
    }

    @Test
    void settingsAreReadOrRefused() {
        TEXTS.check(Proof.rounds(ROUNDS, 1_000_000), (text, chance) -> {
            readOrRefused(() -> MigrationVersion.of(text));
            readOrRefused(() -> IgnorePatterns.of(text));
            readOrRefused(() -> MigrationLocation.of(text));
            readOrRefused(() -> ScriptSettings.read(
                    MigrationFile.of("x.conf", () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))));
            BooleanExpression.evaluate(text);
        });
    }

    private interface Reading {
        void read() throws IOException;
    }

    private static void readOrRefused(Reading reading) throws IOException {
        try {
            reading.read();
        } catch (IllegalArgumentException | InvalidMigrationException e) {
            assertThat(e).hasMessageContaining(" ");
        }
    }

    /* Compared with a regular expression, which is fast enough for short texts. */
    @Test
    void pathMatchesPatternLikeRegularExpression() {
        RandomText names = RandomText.of(List.of("a", "b", "/", "ab", ".", "\ud83d\ude00"));
        List<String> pieces = List.of("a", "b", "?", "*", "**", "/", "/**/", ".", "*.b");
        names.check(Proof.rounds(ROUNDS, 500_000), (glued, chance) -> {
            String path = ("a" + glued).replaceAll("/+", "/").replaceAll("/$", "");
            String pattern = "r/*"
                    + IntStream.range(0, chance.nextInt(6))
                            .mapToObj(i -> pieces.get(chance.nextInt(pieces.size())))
                            .collect(Collectors.joining());
            assertThat(LocationPattern.of(pattern).script(path))
                    .as("%s", pattern)
                    .isEqualTo(expected(pattern, path));
        });
    }

    private static Optional<String> expected(String pattern, String path) {
        List<String> parts = List.of(pattern.substring(2).split("/")).stream()
                .filter(part -> !part.isEmpty())
                .toList();
        String regex = parts.stream()
                .map(part -> part.equals("**")
                        ? "([^/]+/)*?"
                        : part.codePoints()
                                        .mapToObj(c -> c == '*'
                                                ? "[^/]+?"
                                                : c == '?' ? "[^/]" : Pattern.quote(Character.toString(c)))
                                        .collect(Collectors.joining())
                                + "/")
                .collect(Collectors.joining());
        boolean file = parts.get(parts.size() - 1).contains(".");
        var found = Pattern.compile(file ? regex.substring(0, regex.length() - 1) : regex + "(?<rest>.+)")
                .matcher(path);
        return !found.matches() ? Optional.empty() : Optional.of(file ? path : found.group("rest"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "V1__a\u001b[2K.sql",
                "V1__a\nWARN b.sql",
                "V1__\u202elqs.a.sql",
                "V1__a\u2028.sql",
                "a\0/V1__b.sql",
                "W\n.sql"
            })
    void ambiguousNameIsRefused(String name) {
        assertThatThrownBy(() -> MigrationFinder.find(
                        List.of(MemorySource.of(name)), NamingRules.FLYWAY, PlaceholderSettings.FLYWAY))
                .isInstanceOf(InvalidMigrationException.class)
                .hasMessageEndingWith("holds a character that is not to be seen. Rename it")
                .message()
                .doesNotContainPattern("[\\p{Cntrl}\u2028\u202e]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"V1__a.sql", "V1__Größe 漢字 שלום 😀.sql"})
    void nameInAnyLanguageIsAccepted(String name) throws IOException {
        assertThat(MigrationFinder.find(List.of(MemorySource.of(name)), NamingRules.FLYWAY, PlaceholderSettings.FLYWAY)
                        .migrations())
                .singleElement()
                .hasToString(name);
    }

    @Test
    void errorAboutScriptOrSettingIsOneLine() {
        String text = "select ${a\u001b[31m\u202e}";
        assertThatThrownBy(() -> GoldenScript.statements(
                        Dialect.H2,
                        new Script(
                                "V1__x.sql",
                                () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                                StandardCharsets.UTF_8,
                                FlywayPlaceholders.of(Map.of()))))
                .isInstanceOf(ScriptException.class)
                .hasMessageContaining("${a\\u001b[31m\\u202e}");
    }

    @Test
    void longPlaceholderNameIsAbbreviated() {
        String text = "${" + "a".repeat(1_000_000) + "}";
        assertThatThrownBy(() -> GoldenScript.statements(
                        Dialect.H2,
                        new Script(
                                "V1__x.sql",
                                () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                                StandardCharsets.UTF_8,
                                FlywayPlaceholders.of(Map.of()))))
                .message()
                .contains("a…}")
                .hasSizeLessThan(1_000);
    }

    /* Longer than any file system has it, and than the history keeps. */
    @Test
    void longNameIsAppliedOnce() {
        String name = "V1__" + "long_".repeat(2_000) + ".sql";
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        try {
            MigrationRunner runner = MigrationRunner.on(engines.engine("r2dbc:h2:mem:///"))
                    .locations()
                    .sources(MemorySource.of().with(name, "create table t(a int);"));
            assertThat(runner.migrate().map(report -> report.applied().size()).block())
                    .isEqualTo(1);
            assertThat(runner.migrate().map(report -> report.applied().size()).block())
                    .isZero();
            assertThat(runner.validate().map(ValidationReport::valid).block()).isTrue();
        } finally {
            engines.close().block();
        }
    }
}
