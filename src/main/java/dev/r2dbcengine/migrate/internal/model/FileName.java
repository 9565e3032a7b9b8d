package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.CallbackEvent;
import dev.r2dbcengine.migrate.MigrationVersion;
import org.jspecify.annotations.Nullable;

/** What the name of a file says. */
public sealed interface FileName {

    /** A migration; a repeatable one has no version. */
    record MigrationName(MigrationKind kind, @Nullable MigrationVersion version, String description)
            implements FileName {}

    record CallbackName(CallbackEvent event, String description) implements FileName {}

    /** A file that is neither but looks like one, and whether it was surely meant as a migration. */
    record Stray(String why, boolean meantAsMigration) implements FileName {}

    /** A file that no rule applies to. */
    record Other() implements FileName {}
}
