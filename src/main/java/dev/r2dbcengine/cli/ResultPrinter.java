package dev.r2dbcengine.cli;

import java.util.List;
import java.util.function.Supplier;
import reactor.core.Exceptions;

/**
 * How a command tells what came of it.
 *
 * @param shell to whom
 * @param command its name
 * @param json as one object, and nothing else
 * @param verbose with the stack trace of what failed
 */
record ResultPrinter(Shell shell, String command, boolean json, boolean verbose) {

    /** The exit code. */
    int tell(Supplier<CommandResult> command) {
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

    /** The exit code. */
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
