package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.LinearWork;
import dev.r2dbcengine.testing.NastyText;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Control characters in names and messages never reach a terminal. */
class HostileOutputTest {
    private static final String COMMANDS = "a\u001b[2J\r\nb\u202ec\u0007";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static void assertHarmless(Called called) {
        assertThat(called.out() + called.err())
                .doesNotContain("\u001b[2J", "\u0007", "\u202e")
                .contains("\\u001b[2J");
    }

    @Test
    void tableCellEscapesControlCharacters() {
        Table table = new Table(List.of("Description"), List.of(List.of(COMMANDS)));
        assertThat(table.lines(80, "…")).last().isEqualTo("a\\u001b[2J\\u000d\\u000ab\\u202ec\\u0007");
    }

    @Test
    void failureIsOneLine() {
        Failure failure = new Failure(new IllegalStateException(COMMANDS, new IllegalStateException(COMMANDS)));
        assertThat(failure.result().lines()).noneMatch(line -> line.chars().anyMatch(c -> c < ' ' || c == '\u202e'));
    }

    @Test
    void progressEscapesControlCharacters() {
        StringWriter err = new StringWriter();
        Shell shell = Called.shell(Map.of(), false, StandardCharsets.UTF_8, new StringWriter(), err, null);
        Progress progress = new Progress(shell, false);
        progress.warned(COMMANDS);
        assertThat(err.toString()).isEqualToIgnoringNewLines("warning a\\u001b[2J\\u000d\\u000ab\\u202ec\\u0007");
    }

    @ParameterizedTest
    @ValueSource(strings = {"migrate", "info", "validate", "plan"})
    void fileNameWithControlCharactersIsEscaped(String command) throws Exception {
        Files.writeString(directory.resolve("V1__x\u001b[2J\u0007\u202e.sql"), "select 1;");
        assertHarmless(
                Called.here(command, "--url", "r2dbc:h2:mem:///hostile", "--locations", "filesystem:" + directory));
    }

    /* A file receives the script unchanged. */
    @Test
    void statementsAreEscapedOnlyOnTerminal() throws Exception {
        Files.writeString(directory.resolve("V1__x.sql"), "select '\u001b[2J',\n\t1;");
        String[] args = {"plan", "--sql", "--url", "r2dbc:h2:mem:///hostile", "--locations", "filesystem:" + directory};
        assertThat(Called.typing("", args).out()).contains("select '\\u001b[2J',\n\t1;");
        assertThat(Called.here(args).out()).contains("select '\u001b[2J',\n\t1;");
    }

    static final class Rendered implements Consumer<String> {
        @SuppressWarnings("unused") // there is one variant
        Rendered(String variant) {}

        @Override
        public void accept(String text) {
            new Failure(new IllegalStateException(text)).result();
            Wording.of(text);
        }
    }

    @ParameterizedTest
    @EnumSource
    void messageIsRenderedInLinearTime(NastyText text) {
        LinearWork.assertLinear(Rendered.class, "", text, 400);
    }
}
