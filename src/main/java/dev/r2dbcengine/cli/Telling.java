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
record Telling(Shell shell, String command, boolean json, boolean verbose) {

    /** The exit code. */
    int tell(Supplier<Answer> command) {
        try {
            return result(command.get());
        } catch (RuntimeException thrown) {
            Throwable failure = Exceptions.unwrap(thrown);
            if (verbose) {
                failure.printStackTrace(shell.err());
            }
            return failed(new Failure(failure).answer());
        }
    }

    /** The exit code. */
    int failed(Answer answer) {
        List<String> lines = answer.lines();
        shell.err().println(shell.coloured(Colour.RED, "error") + " " + lines.get(0));
        lines.stream().skip(1).forEach(line -> shell.err().println("      " + line));
        return json(answer);
    }

    private int result(Answer answer) {
        if (!json) {
            answer.lines().forEach(shell.out()::println);
        }
        return json(answer);
    }

    private int json(Answer answer) {
        if (json) {
            shell.out().println(answer.json(command));
        }
        shell.out().flush();
        shell.err().flush();
        return answer.exitCode();
    }
}
