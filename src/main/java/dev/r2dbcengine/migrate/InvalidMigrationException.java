package dev.r2dbcengine.migrate;

import dev.r2dbcengine.internal.text.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files, settings or a history from which no plan can be made. Nothing was changed. The message says what to do. */
public final class InvalidMigrationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** See {@link #offenders()}. */
    @SuppressWarnings("serial") // an immutable list of strings
    private final List<String> offenders;

    /**
     * Creates the exception.
     *
     * @param message says what is wrong and what to do
     * @param offenders the files, classes or versions it is about
     * @param cause null if there is none
     */
    public InvalidMigrationException(String message, List<String> offenders, @Nullable Throwable cause) {
        super(Printable.line(message), cause);
        this.offenders = List.copyOf(offenders);
    }

    /**
     * Creates the exception, without a cause.
     *
     * @param message says what is wrong and what to do
     * @param offenders the files, classes or versions it is about
     */
    public InvalidMigrationException(String message, String... offenders) {
        this(message, List.of(offenders), null);
    }

    /** {@return the files, classes or versions that it is about} */
    public List<String> offenders() {
        return offenders;
    }
}
