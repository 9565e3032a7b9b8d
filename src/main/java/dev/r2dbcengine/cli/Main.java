package dev.r2dbcengine.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The entry point of the command line. Ends with 0 when done, 1 when it failed, 2 on wrong usage. */
@Command(
        name = "r2dbc-engine",
        mixinStandardHelpOptions = true,
        version = "r2dbc-engine 0.1.0-SNAPSHOT",
        description = "One engine for each database URL.",
        subcommands = DemoCommand.class)
public final class Main implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private Main() {}

    /**
     * Runs a command.
     *
     * @param args the command and its options; none: the help
     */
    public static void main(String[] args) {
        int status = commandLine().execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler((error, command, parsed) -> {
            command.getErr().println(command.getColorScheme().errorText(String.valueOf(error.getMessage())));
            return command.getCommandSpec().exitCodeOnExecutionException();
        });
    }

    /** Without a command: the help. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
