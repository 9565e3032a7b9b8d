package dev.r2dbcengine.migrate;

import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run has failed. The message says what happened and what to do. It contains no text of the script or of the driver,
 * whose exception is the cause.
 */
public final class MigrationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /* Null after deserialization. */
    private final transient @Nullable List<Executed> applied;

    private final transient @Nullable ResolvedMigration failed;
    /** See {@link #line()}. */
    private final int line;
    /** See {@link #statement()}. */
    private final @Nullable String statement;

    /**
     * Creates the exception.
     *
     * @param message says what happened and what to do, without text of the script or of the driver
     * @param applied the migrations that this run had applied before, or undone
     * @param failed the migration that failed, null if none had begun
     * @param line of its script, from 1; 0 if it is not known
     * @param statement the statement that failed, null if it is not known
     * @param cause null if there is none
     */
    public MigrationException(
            String message,
            List<Executed> applied,
            @Nullable ResolvedMigration failed,
            int line,
            @Nullable String statement,
            @Nullable Throwable cause) {
        super(Printable.line(message), cause);
        this.applied = List.copyOf(applied);
        this.failed = failed;
        this.line = line;
        this.statement = statement;
    }

    /**
     * Creates the exception of a run that failed before its first migration.
     *
     * @param message says what happened and what to do
     * @param cause null if there is none
     */
    public MigrationException(String message, @Nullable Throwable cause) {
        this(message, List.of(), null, 0, null, cause);
    }

    /**
     * Returns the migrations that the run completed before the failure.
     *
     * @return the migrations that were applied or, by undo, reverted; empty after deserialization
     */
    public List<Executed> applied() {
        return applied == null ? List.of() : applied;
    }

    /** {@return the migration that failed; null if none had started, and after deserialization} */
    public @Nullable ResolvedMigration failed() {
        return failed;
    }

    /** {@return the line in the script where the failed statement begins, from 1; 0 if it is not known} */
    public int line() {
        return line;
    }

    /** {@return the failed statement, as it is in the script; null if it is not known} */
    public @Nullable String statement() {
        return statement;
    }
}
