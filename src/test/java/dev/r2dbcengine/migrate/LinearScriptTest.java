package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.internal.find.LocationPattern;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.plan.IgnorePatterns;
import dev.r2dbcengine.migrate.internal.script.BooleanExpression;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import dev.r2dbcengine.migrate.internal.script.ScriptReader;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import dev.r2dbcengine.testing.LinearWork;
import dev.r2dbcengine.testing.NastyText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However scripts, their names and their settings are made, to read them costs so much a character. */
class LinearScriptTest {
    private static final int MOST = 400;

    static final class Split implements Consumer<String> {
        private final Dialect dialect;

        Split(String dialect) {
            this.dialect = Dialect.ofDriver(dialect);
        }

        @Override
        public void accept(String text) {
            Script script = new Script(
                    "V1__x.sql",
                    () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                    StandardCharsets.UTF_8,
                    FlywayPlaceholders.of(Map.of("a", "b")));
            try (ScriptReader reader = script.open(dialect, 17)) {
                for (ScriptStatement next = reader.next(); next != null; next = reader.next()) {
                    dialect.forBatch(next.text());
                }
            } catch (ScriptException e) {
                // Refused, after as few steps.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void scriptsAreSplitInLinearTime(NastyText text) {
        for (String dialect : new String[] {"h2", "postgresql", "mariadb", "mysql"}) {
            LinearWork.assertLinear(Split.class, dialect, text, MOST);
        }
    }

    /** A reader of a name, a setting or a path. */
    static final class Read implements Consumer<String> {
        private final String what;

        Read(String what) {
            this.what = what;
        }

        @Override
        public void accept(String text) {
            try {
                read(text);
            } catch (IllegalArgumentException | InvalidMigrationException e) {
                // Refused, after as few steps.
            }
        }

        private void read(String text) {
            switch (what) {
                case "version" -> MigrationVersion.of(text);
                case "name" -> NamingRules.FLYWAY.read("V" + text + ".sql");
                case "shouldExecute" -> BooleanExpression.evaluate(text);
                case "ignore" -> IgnorePatterns.of(text);
                case "location" -> LocationPattern.of(text);
                case "path" -> LocationPattern.of("a/**/*a/b*b*b/**/c").script(text);
                case "file" -> LocationPattern.of("a/**/a**b*c*d?.sql").script(text);
                default -> throw new AssertionError(what);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "name", "shouldExecute", "ignore", "location", "path", "file"})
    void namesAndSettingsAreReadInLinearTime(String what) {
        for (NastyText text : NastyText.values()) {
            LinearWork.assertLinear(Read.class, what, text, MOST);
        }
    }
}
