package dev.r2dbcengine.cli;

import dev.r2dbcengine.migrate.MigrationStatement;
import dev.r2dbcengine.migrate.ResolvedMigration;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Prints statements as they are read, however many. A comment names the script and the line of each. */
final class Statements {

    private final PrintWriter out;
    private @Nullable ResolvedMigration last;

    Statements(PrintWriter out) {
        this.out = out;
    }

    Mono<Answer> print(Flux<MigrationStatement> statements) {
        return statements
                .doOnNext(this::print)
                .then(Mono.fromSupplier(() -> new Answer(Answer.DONE, Json.object(), List.of())));
    }

    private void print(MigrationStatement statement) {
        if (statement.migration() != last) {
            last = statement.migration();
            out.println("-- " + statement.migration().script());
        }
        out.println(ended(statement.text()));
    }

    /** A comment in the last line would take what ends the statement with it. */
    private static String ended(String text) {
        String lastLine = text.substring(text.lastIndexOf('\n') + 1);
        return text + (lastLine.contains("--") || lastLine.contains("#") ? System.lineSeparator() : "") + ";";
    }
}
