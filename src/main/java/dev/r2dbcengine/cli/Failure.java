package dev.r2dbcengine.cli;

import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationException;
import dev.r2dbcengine.migrate.ResolvedMigration;
import io.r2dbc.spi.R2dbcException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is told of something that went wrong: what, why by the database's own words, and no stack trace. */
record Failure(Throwable error) {

    /** A URL may stand in what a parser found wrong. */
    private static final Pattern LOGIN = Pattern.compile("(?<!\\S)((?:[^\\s/]|/(?!/))*+//)\\S*@");

    /** H2 goes on with the statement, whose place was told already and which may hold the values of placeholders. */
    private static final Pattern H2_STATEMENT = Pattern.compile("; SQL statement:$");

    private static final Pattern VALUE = Pattern.compile("(--?[\\w-]+)=\\S*[^\\s'\"]");

    CommandResult result() {
        List<String> lines = new ArrayList<>(List.of(message()));
        String cause = cause();
        if (cause != null) {
            lines.add(cause);
        }
        return new CommandResult(exitCode(), Json.object("error", json(cause)), lines);
    }

    private int exitCode() {
        return error instanceof WrongUsageException
                ? CommandResult.WRONG_USAGE
                : error instanceof InterruptedTaskException ? CommandResult.INTERRUPTED : CommandResult.FAILED;
    }

    private String message() {
        boolean own = error instanceof WrongUsageException || error instanceof InterruptedTaskException;
        boolean ofTheLibrary = error instanceof MigrationException
                || error instanceof InvalidMigrationException
                || error instanceof EngineOpenException;
        String message = Objects.requireNonNullElse(error.getMessage(), "");
        if (own) {
            return message;
        }
        return ofTheLibrary
                ? Wording.of(message)
                : redacted(error.getClass().getSimpleName() + ": " + firstLine(message));
    }

    /** The driver's, or else what is at the root. */
    private @Nullable String cause() {
        List<Throwable> causes = Stream.iterate(error.getCause(), Objects::nonNull, Throwable::getCause)
                .filter(cause -> !Objects.equals(cause.getMessage(), error.getMessage()))
                .toList();
        return error instanceof WrongUsageException
                ? null
                : causes.stream()
                        .filter(R2dbcException.class::isInstance)
                        .findFirst()
                        .or(() -> causes.stream().reduce((one, next) -> next))
                        .map(Failure::words)
                        .orElse(null);
    }

    private static String words(Throwable cause) {
        String state = cause instanceof R2dbcException told ? Objects.requireNonNullElse(told.getSqlState(), "") : "";
        String message = firstLine(Objects.requireNonNullElseGet(cause.getMessage(), cause::toString));
        String told = H2_STATEMENT.matcher(message).replaceFirst("");
        return redacted(told.contains(state) ? told : state + " " + told);
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** Of the arguments that a parser did not take. */
    static String withoutValues(String message) {
        return redacted(VALUE.matcher(message).replaceAll("$1=…"));
    }

    /** Without what stands before the @ of a URL. */
    private static String redacted(String text) {
        return Printable.line(LOGIN.matcher(text).replaceAll("$1…@"));
    }

    private Map<String, @Nullable Object> json(@Nullable String cause) {
        Map<String, @Nullable Object> json = Json.object("message", message(), "cause", cause);
        if (error instanceof MigrationException told) {
            ResolvedMigration failed = told.failed();
            json.put("script", failed == null ? null : failed.script());
            json.put("line", told.line() == 0 ? null : told.line());
            json.put("statement", told.statement());
            json.put("applied", told.applied().stream().map(JsonViews::executed).toList());
        }
        return json;
    }
}
