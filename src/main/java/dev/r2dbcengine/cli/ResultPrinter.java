package dev.r2dbcengine.cli;

import java.util.List;
import java.util.function.Supplier;
import reactor.core.Exceptions;

/**
 * Prints the result of a command.
 *
 * @param shell the outputs
 * @param command its name
 * @param json whether the standard output is one JSON object
 * @param verbose whether the stack trace of an error is printed
 */
record ResultPrinter(Shell shell, String command, boolean json, boolean verbose) {

    /** Runs a command, prints its result or its error, and returns the exit code. */
    int print(Supplier<CommandResult> command) {
        try {
            return done(command.get());
        } catch (RuntimeException thrown) {
            Throwable failure = Exceptions.unwrap(thrown);
            if (verbose) {
                failure.printStackTrace(shell.err());
            }
            return failed(new Failure(failure).result());
        }
    }

    /** Prints an error and returns the exit code. */
    int failed(CommandResult result) {
        List<String> lines = result.lines();
        shell.err().println(shell.coloured(Colour.RED, "error") + " " + lines.get(0));
        lines.stream().skip(1).forEach(line -> shell.err().println("      " + line));
        return json(result);
    }

    private int done(CommandResult result) {
        if (!json) {
            result.lines().forEach(shell.out()::println);
        }
        return json(result);
    }

    private int json(CommandResult result) {
        if (json) {
            shell.out().println(result.json(command));
        }
        shell.out().flush();
        shell.err().flush();
        return result.exitCode();
    }
}
