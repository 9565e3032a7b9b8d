package dev.r2dbcengine.migrate;

import java.time.Duration;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A row of the history table.
 *
 * @param rank its position in the history
 * @param version the version; null for a repeatable migration and for the row of created schemas
 * @param description the description in the file name, cut to 200 characters
 * @param type the type of the migration
 * @param script the path of the script below its location, or the name of a class
 * @param checksum the checksum of the script as it was applied; null for code
 * @param installedBy the user of the database that applied it
 * @param installedOn when it was applied, by the clock of the database
 * @param executionTime how long it took
 * @param success false if it failed and could not be rolled back
 */
public record AppliedMigration(
        int rank,
        @Nullable MigrationVersion version,
        String description,
        MigrationType type,
        String script,
        @Nullable Integer checksum,
        String installedBy,
        LocalDateTime installedOn,
        Duration executionTime,
        boolean success) {}
