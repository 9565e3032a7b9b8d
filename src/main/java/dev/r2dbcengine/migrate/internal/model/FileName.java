package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.CallbackEvent;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.MigrationVersion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The meaning of a file name. */
public sealed interface FileName {

    /** Returns the name of a file without its directories. */
    static String of(MigrationFile file) {
        String script = file.script();
        return script.substring(script.lastIndexOf('/') + 1);
    }

    /** Returns the version that a text is, empty if it is none. */
    static Optional<MigrationVersion> version(String text) {
        try {
            return Optional.of(MigrationVersion.of(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns how messages name a migration. */
    static String title(@Nullable MigrationVersion version, String description) {
        return version == null ? "repeatable migration '" + description + "'" : "migration to version " + version;
    }

    /** A migration; a repeatable one has no version. */
    record MigrationName(MigrationKind kind, @Nullable MigrationVersion version, String description)
            implements FileName {}

    record CallbackName(CallbackEvent event, String description) implements FileName {}

    /**
     * A file that is neither but looks similar.
     *
     * @param meantAsMigration whether it was certainly meant as a migration
     */
    record Stray(String why, boolean meantAsMigration) implements FileName {}

    /** A file to which no rule applies. */
    record Other() implements FileName {}
}
