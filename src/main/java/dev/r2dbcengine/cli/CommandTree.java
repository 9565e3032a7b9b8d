package dev.r2dbcengine.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * All commands, for the parser and the help. Built without picocli's annotations, whose processing slows every start;
 * for the same reason only the called command gets its options.
 *
 * @param args the arguments of the process, which name the called command
 */
record CommandTree(Shell shell, List<Task> tasks, List<String> args) {

    static final String NAME = "r2dbc-engine";

    /** Prints a script for the shell. */
    static final String COMPLETION = "completion";

    private static final String DEMO = "demo";
    private static final int NARROWEST_HELP = 55;
    private static final Map<String, String> EXIT_CODES = exitCodes();
    private static final String PLACES =
            "A setting such as --table=t can also be given as R2E_TABLE=t in the environment, or as table=t or"
                    + " flyway.table=t in the file of --config. Flags override the environment, which overrides the file.";

    private static Map<String, String> exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put(" " + CommandResult.DONE, "success");
        codes.put(" " + CommandResult.FAILED, "failure");
        codes.put(" " + CommandResult.WRONG_USAGE, "wrong usage: nothing was done");
        codes.put(" " + CommandResult.NOT_READY, "validate, info --check: a migration is pending or invalid");
        codes.put(
                String.valueOf(CommandResult.INTERRUPTED),
                "interrupted: the statement is cancelled and rolled back where the database supports it, the lock"
                        + " released");
        codes.put("143", "terminated by SIGTERM; as 130");
        return codes;
    }

    CommandSpec root() {
        CommandSpec root = command(
                        List.of("Runs Flyway-compatible migrations over R2DBC, without JDBC."),
                        List.of("migrate --url r2dbc:postgresql://localhost/shop --ask-password", "migrate --help"),
                        Stream.of(Options.help(), Options.version()))
                .name(NAME)
                .version(NAME + " " + version());
        tasks.forEach(task -> root.addSubcommand(task.name(), command(task)));
        return root.addSubcommand(DEMO, demo()).addSubcommand(COMPLETION, completion());
    }

    private CommandSpec completion() {
        return command(
                List.of("Prints a completion script for bash, and for zsh after bashcompinit."),
                List.of(COMPLETION + " > /etc/bash_completion.d/" + NAME),
                Stream.of(Options.help()));
    }

    private static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "unpackaged");
    }

    private CommandSpec command(Task task) {
        return command(
                List.of(task.summary(), PLACES),
                task.examples().stream()
                        .map(example -> (task.name() + " " + example).trim())
                        .toList(),
                args.contains(task.name()) || args.contains(COMPLETION)
                        ? Stream.of(task.options(), Options.ofTasks(), Options.ofAll())
                                .flatMap(List::stream)
                        : Stream.empty());
    }

    private CommandSpec demo() {
        return command(
                List.of(
                        "Shows concurrent access to one URL with and without the cache, migrations, and units of work."),
                List.of(DEMO, DEMO + " --url r2dbc:postgresql://user:secret@localhost/scratch"),
                Stream.concat(Stream.of(Demo.url()), Options.ofAll().stream()));
    }

    private CommandSpec command(List<String> description, List<String> examples, Stream<OptionSpec> options) {
        CommandSpec command = CommandSpec.create();
        options.forEach(command::addOption);
        command.usageMessage().sectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionGroup::all);
        command.usageMessage()
                .description(description.toArray(String[]::new))
                .abbreviateSynopsis(true)
                .sortOptions(false)
                .commandListHeading("%nCommands:%n")
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(EXIT_CODES)
                .footerHeading("%nExamples:%n")
                .footer(examples.stream()
                        .map(example -> "  " + NAME + " " + example)
                        .toArray(String[]::new));
        if (shell.terminal() && !shell.environment().containsKey(Shell.COLUMNS)) {
            command.usageMessage().autoWidth(true);
        } else {
            command.usageMessage().width(Math.max(NARROWEST_HELP, shell.width()));
        }
        return command;
    }
}
