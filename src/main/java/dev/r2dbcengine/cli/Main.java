package dev.r2dbcengine.cli;

import java.util.Arrays;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The entry point of the command line. Exit codes: 0 success, 1 failure, 2 wrong usage, 3 {@code validate} or {@code
 * info --check} found a pending or invalid migration, 130 interrupted by SIGINT, 143 terminated by SIGTERM.
 */
public final class Main {

    private final Shell shell;
    private final List<Task> tasks = Tasks.all();

    private Main(Shell shell) {
        this.shell = shell;
    }

    /**
     * Runs a command and exits with its exit code.
     *
     * @param args the command and its options; without a command, the help is printed
     */
    public static void main(String[] args) {
        JdkLogging.warningsOnly();
        int status = run(Shell.system(), args);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Runs a command and returns its exit code, or 1 if its output was not written. */
    static int run(Shell shell, String... args) {
        int status = commandLine(shell, args).execute(args);
        if (!shell.out().checkError()) {
            return status;
        }
        shell.err()
                .println(shell.coloured(Colour.RED, "error")
                        + " The standard output cannot be written: its disk is full, or its reader has closed it. The output is"
                        + " incomplete, although the command ended with " + status);
        shell.err().flush();
        return CommandResult.FAILED;
    }

    static CommandLine commandLine(Shell shell, String... args) {
        Main main = new Main(shell);
        return new CommandLine(new CommandTree(shell, main.tasks, List.of(args)).root())
                .setOut(shell.out())
                .setErr(shell.err())
                .setExpandAtFiles(false)
                .setColorScheme(Help.defaultColorScheme(Ansi.valueOf(shell.colours())))
                .setExecutionStrategy(main::run)
                .setParameterExceptionHandler(main::wrong);
    }

    private int run(ParseResult parsed) {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        if (!parsed.hasSubcommand()) {
            parsed.commandSpec().commandLine().usage(shell.out());
            return CommandResult.DONE;
        }
        ParseResult flags = parsed.subcommand();
        if (flags.commandSpec().name().equals(CommandTree.COMPLETION)) {
            shell.out()
                    .print(AutoComplete.bash(
                            CommandTree.NAME, parsed.commandSpec().commandLine()));
            return CommandResult.DONE;
        }
        boolean json = flags.hasMatchedOption(Options.JSON);
        boolean verbose = flags.hasMatchedOption(Options.VERBOSE);
        try (Foreground foreground = new Foreground()) {
            return new ResultPrinter(shell, flags.commandSpec().name(), json, verbose)
                    .print(() -> result(flags, foreground));
        }
    }

    private CommandResult result(ParseResult flags, Foreground foreground) {
        return tasks.stream()
                .filter(task -> task.name().equals(flags.commandSpec().name()))
                .findFirst()
                .map(task -> new TaskCommand(task, shell, flags, foreground).run())
                .orElseGet(() -> new Demo(shell, flags).run());
    }

    /** Prints the error without the values of options, which may be secrets. */
    private int wrong(ParameterException wrong, String[] args) {
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        WrongUsageException usage = new WrongUsageException(Failure.withoutValues(String.valueOf(wrong.getMessage())));
        boolean json = Arrays.asList(args).contains(Options.JSON);
        int status = new ResultPrinter(shell, command.name(), json, false).failed(new Failure(usage).result());
        if (!UnmatchedArgumentException.printSuggestions(wrong, shell.err())) {
            shell.err().println("See " + command.qualifiedName() + " --help");
        }
        shell.err().flush();
        return status;
    }
}
