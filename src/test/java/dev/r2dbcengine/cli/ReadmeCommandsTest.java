package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Page;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands in the pages and in the help are valid, and the pages list all of them. */
class ReadmeCommandsTest {
    private static final String COMMAND = "java -jar r2dbc-engine-cli.jar ";

    static Stream<String> examples() {
        return Stream.concat(
                Page.all().stream()
                        .flatMap(page -> page.text().lines())
                        .filter(line -> line.startsWith(COMMAND))
                        .map(line -> line.substring(COMMAND.length())),
                Tasks.all().stream()
                        .flatMap(task -> task.examples().stream()
                                .map(example -> (task.name() + " " + example).split(" +[#|>]", 2)[0])));
    }

    /** Parses the example without running it: the options exist and accept the values. */
    @ParameterizedTest
    @MethodSource("examples")
    void exampleParses(String example) {
        String[] args = Stream.of(example.trim().split(" +", -1))
                .map(arg -> arg.replace("'", ""))
                .toArray(String[]::new);
        Shell shell = Shell.system();

        assertThat(Main.commandLine(shell, args).parseArgs(args).hasSubcommand())
                .isTrue();
    }

    /** The help wraps longer lines at 80 columns, so that they could not be copied. */
    @Test
    void helpExampleFitsOnOneLine() {
        assertThat(Tasks.all())
                .flatExtracting(task -> task.examples().stream()
                        .map(example -> "  " + CommandTree.NAME + " " + task.name() + " " + example)
                        .toList())
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    }

    @Test
    void pageListsEveryCommandAndExitCode() {
        String text = Page.of(Path.of("docs/command-line.md")).text();

        assertThat(examples()).hasSizeGreaterThan(10);
        assertThat(Tasks.all()).allSatisfy(task -> assertThat(text).contains("`" + task.name() + "`"));
        assertThat(List.of(
                        CommandResult.DONE,
                        CommandResult.FAILED,
                        CommandResult.WRONG_USAGE,
                        CommandResult.NOT_READY,
                        CommandResult.INTERRUPTED))
                .allSatisfy(code -> assertThat(text).contains("\n| " + code + " | "));
    }
}
