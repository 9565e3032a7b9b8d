package dev.r2dbcengine.cli;

import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.MigrationStatement;
import dev.r2dbcengine.migrate.ResolvedMigration;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Prints statements while they are read, without buffering. A comment names the script before its first statement.
 * Control characters are escaped on a terminal and kept in a file.
 */
final class Statements {

    private final PrintWriter out;
    private final boolean terminal;
    private @Nullable ResolvedMigration last;

    Statements(Shell shell) {
        this.out = shell.out();
        this.terminal = shell.terminal();
    }

    Mono<CommandResult> print(Flux<MigrationStatement> statements) {
        // A stream without a reader would run to its end; Main reports the error.
        return statements
                .takeWhile(next -> !out.checkError())
                .doOnNext(this::print)
                .then(Mono.fromSupplier(() -> new CommandResult(CommandResult.DONE, Json.object(), List.of())));
    }

    private void print(MigrationStatement statement) {
        if (statement.migration() != last) {
            last = statement.migration();
            out.println("-- " + Printable.line(statement.migration().script()));
        }
        String text = statement.text();
        out.println(terminated(terminal ? Printable.lines(text) : text));
    }

    /** Ends a statement on a new line if its last line may contain a comment, which would swallow the semicolon. */
    private static String terminated(String text) {
        String lastLine = text.substring(text.lastIndexOf('\n') + 1);
        return text + (lastLine.contains("--") || lastLine.contains("#") ? System.lineSeparator() : "") + ";";
    }
}
