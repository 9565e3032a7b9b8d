package dev.r2dbcengine.migrate;

import dev.r2dbcengine.internal.text.Printable;

/**
 * A mismatch of the history and the migrations that were found.
 *
 * @param kind the kind of problem
 * @param migration the migration
 * @param what a description of the problem
 * @param remedy what to do
 */
public record ValidationProblem(Kind kind, MigrationStatus migration, String what, String remedy) {

    /** The kinds of problems. */
    public enum Kind {
        /** It failed and was not rolled back. */
        FAILED,
        /** It was applied but is not found. */
        MISSING,
        /** It was found but is not applied. */
        NOT_APPLIED,
        /** It is repeatable and has changed. */
        OUTDATED,
        /** It was applied as another type. */
        TYPE_MISMATCH,
        /** It has changed since it was applied. */
        CHECKSUM_MISMATCH,
        /** It was renamed since it was applied. */
        DESCRIPTION_MISMATCH
    }

    /** {@return the problem and the remedy} */
    public String message() {
        return Printable.line(what + ". " + remedy + ".");
    }
}
