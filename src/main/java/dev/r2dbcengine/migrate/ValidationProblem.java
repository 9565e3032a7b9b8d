package dev.r2dbcengine.migrate;

import dev.r2dbcengine.internal.text.Printable;

/**
 * Why a history and the migrations that were found do not fit.
 *
 * @param kind what is wrong
 * @param migration with which migration
 * @param what is wrong with it, in words
 * @param remedy what to do
 */
public record ValidationProblem(Kind kind, MigrationStatus migration, String what, String remedy) {

    /** What can be wrong. */
    public enum Kind {
        /** It failed half-way. */
        FAILED,
        /** It was applied, and is not found. */
        MISSING,
        /** It is found, and was not applied. */
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

    /** {@return what is wrong and what to do} */
    public String message() {
        return Printable.line(what + ". " + remedy + ".");
    }
}
