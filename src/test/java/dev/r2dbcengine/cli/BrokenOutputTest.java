package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A standard output that is full or closed. */
class BrokenOutputTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path scripts;

    private final StringWriter err = new StringWriter();

    /** Accepts no character, as a full disk does. */
    private static final class Full extends Writer {
        private int attempts;

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            attempts++;
            throw new IOException("No space left on device");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private int run(Writer out, Map<String, String> environment, String... args) {
        return Main.run(
                new Shell(
                        environment,
                        false,
                        StandardCharsets.UTF_8,
                        new PrintWriter(out),
                        new PrintWriter(err),
                        Optional::empty),
                args);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "migrate",
                "info",
                "info --check --json",
                "plan",
                "plan --sql",
                "plan --sql --json",
                "validate",
                "repair",
                "baseline",
                "undo --to 0?",
                "clean --clean-disabled=false",
                "demo --json",
                "completion",
                "--help",
                "migrate --help",
                "--version"
            })
    void unwrittenOutputIsAnError(String line) throws IOException {
        Files.writeString(scripts.resolve("V1__one.sql"), "create table one (id int);");
        Files.writeString(scripts.resolve("U1__one.sql"), "drop table one;");
        try (TestDatabase database = TestDatabase.fresh(Server.H2).keepAlive()) {
            Map<String, String> environment =
                    Map.of("R2E_URL", database.url(), "R2E_LOCATIONS", "filesystem:" + scripts);
            if (line.startsWith("undo")) {
                run(new StringWriter(), environment, "migrate");
            }
            assertThat(run(new Full(), environment, line.split(" ", -1))).isOne();
        }
        assertThat(err.toString()).contains("error The standard output cannot be written");
    }

    @Test
    void statementsEndAtTheFirstThatIsNotWritten() throws IOException {
        Files.writeString(scripts.resolve("V1__many.sql"), "create table one (id int);\n".repeat(1000));
        Full out = new Full();
        try (TestDatabase database = TestDatabase.fresh(Server.H2).keepAlive()) {
            run(out, Map.of("R2E_URL", database.url()), "plan", "--sql", "--locations", "filesystem:" + scripts);
        }
        assertThat(out.attempts).isBetween(1, 10);
    }
}
