package dev.r2dbcengine.migrate;

import org.jspecify.annotations.Nullable;

/** What the name of a file says. */
sealed interface FileName {

    /** A migration; a repeatable one has no version. */
    record MigrationName(MigrationKind kind, @Nullable MigrationVersion version, String description)
            implements FileName {}

    record CallbackName(CallbackEvent event, String description) implements FileName {}

    /** A SQL file that is neither, and whether somebody surely meant it to be a migration. */
    record Stray(String why, boolean meantAsMigration) implements FileName {}

    /** No SQL file at all. */
    record Other() implements FileName {}
}
