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

/** The output for an error: its message and the database's own message, without passwords and without a stack trace. */
record Failure(Throwable error) {

    /** The login of a URL, which a parser may quote in its message. */
    private static final Pattern LOGIN = Pattern.compile("(?<!\\S)((?:[^\\s/]|/(?!/))*+//)\\S*@");

    /** H2 appends the statement, which may contain values of placeholders; our message already names its place. */
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
        if (error instanceof InterruptedTaskException interrupted) {
            return interrupted.exitCode();
        }
        return error instanceof WrongUsageException ? CommandResult.WRONG_USAGE : CommandResult.FAILED;
    }

    private String message() {
        boolean own = error instanceof WrongUsageException || error instanceof InterruptedTaskException;
        boolean fromLibrary = error instanceof MigrationException
                || error instanceof InvalidMigrationException
                || error instanceof EngineOpenException;
        String message = Objects.requireNonNullElse(error.getMessage(), "");
        if (own) {
            return message;
        }
        return fromLibrary
                ? Wording.of(message)
                : redacted(error.getClass().getSimpleName() + ": " + firstLine(message));
    }

    /** Returns the driver's message, else that of the root cause; null when it would add nothing. */
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
        String state = cause instanceof R2dbcException e ? Objects.requireNonNullElse(e.getSqlState(), "") : "";
        String message = firstLine(Objects.requireNonNullElseGet(cause.getMessage(), cause::toString));
        String text = H2_STATEMENT.matcher(message).replaceFirst("");
        return redacted(text.contains(state) ? text : state + " " + text);
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** Removes the values of options from a message of the argument parser. */
    static String withoutValues(String message) {
        return redacted(VALUE.matcher(message).replaceAll("$1=…"));
    }

    /** Replaces the part of a URL before the @. */
    private static String redacted(String text) {
        return Printable.line(LOGIN.matcher(text).replaceAll("$1…@"));
    }

    private Map<String, @Nullable Object> json(@Nullable String cause) {
        Map<String, @Nullable Object> json = Json.object("message", message(), "cause", cause);
        if (error instanceof MigrationException migration) {
            ResolvedMigration failed = migration.failed();
            json.put("script", failed == null ? null : failed.script());
            json.put("line", migration.line() == 0 ? null : migration.line());
            json.put("statement", migration.statement());
            json.put(
                    "applied",
                    migration.applied().stream().map(JsonViews::executed).toList());
        }
        return json;
    }
}
