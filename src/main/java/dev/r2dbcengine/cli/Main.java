package dev.r2dbcengine.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of the command line. Ends with 0 when done, 1 when it failed, 2 on wrong usage. */
@Command(
        name = "r2dbc-engine",
        mixinStandardHelpOptions = true,
        version = "r2dbc-engine 0.1.0-SNAPSHOT",
        description = "One engine for each database URL.",
        subcommands = DemoCommand.class)
public final class Main {
    private Main() {}

    /**
     * Runs a command.
     *
     * @param args the command and its options; none: the help
     */
    public static void main(String[] args) {
        int status = run(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String... args) {
        return new CommandLine(new Main()).execute(args.length == 0 ? new String[] {"--help"} : args);
    }
}
