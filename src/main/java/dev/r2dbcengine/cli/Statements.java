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
 * Prints statements as they are read, however many. A comment names the script and the line of each. A terminal is shown what
 * would command it; a file gets it.
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
        return statements
                .doOnNext(this::print)
                .then(Mono.fromSupplier(() -> new CommandResult(CommandResult.DONE, Json.object(), List.of())));
    }

    private void print(MigrationStatement statement) {
        if (statement.migration() != last) {
            last = statement.migration();
            out.println("-- " + Printable.line(statement.migration().script()));
        }
        String text = statement.text();
        out.println(ended(terminal ? Printable.lines(text) : text));
    }

    /** A comment in the last line would take what ends the statement with it. */
    private static String ended(String text) {
        String lastLine = text.substring(text.lastIndexOf('\n') + 1);
        return text + (lastLine.contains("--") || lastLine.contains("#") ? System.lineSeparator() : "") + ";";
    }
}
