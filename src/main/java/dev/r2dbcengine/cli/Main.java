package dev.r2dbcengine.cli;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The entry point of the command line. Ends with 0 when done, 1 when it failed, 2 on wrong usage, 3 when {@code validate} or
 * {@code info --check} found something pending or invalid, 130 when it was interrupted.
 */
public final class Main {

    private final Shell shell;
    private final List<Task> tasks = Tasks.all();

    private Main(Shell shell) {
        this.shell = shell;
    }

    /**
     * Runs a command, and ends the process with its exit code.
     *
     * @param args the command and its options; none: the help
     */
    public static void main(String[] args) {
        JdkLogging.warningsAlone();
        int status = commandLine(Shell.system(), args).execute(args);
        if (status != 0) {
            System.exit(status);
        }
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
        boolean json = flags.hasMatchedOption(Options.JSON);
        boolean verbose = flags.hasMatchedOption(Options.VERBOSE);
        try (Foreground foreground = new Foreground()) {
            return new ResultPrinter(shell, flags.commandSpec().name(), json, verbose)
                    .tell(() -> result(flags, foreground));
        }
    }

    private CommandResult result(ParseResult flags, Foreground foreground) {
        return tasks.stream()
                .filter(task -> task.name().equals(flags.commandSpec().name()))
                .findFirst()
                .map(task -> new TaskCommand(task, shell, flags, foreground).run())
                .orElseGet(() -> new Demo(shell, flags).run());
    }

    /** Without what was written behind an option: it may be a secret. */
    private int wrong(ParameterException wrong, String[] args) {
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        WrongUsageException told = new WrongUsageException(Failure.withoutValues(String.valueOf(wrong.getMessage())));
        boolean json = Arrays.asList(args).contains(Options.JSON);
        int status = new ResultPrinter(shell, command.name(), json, false).failed(new Failure(told).result());
        if (!UnmatchedArgumentException.printSuggestions(wrong, shell.err())) {
            shell.err().println("See " + command.qualifiedName() + " --help");
        }
        shell.err().flush();
        return status;
    }
}
