package dev.r2dbcengine.migrate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A migration and its state: one row of Flyway's {@code info}. If it was applied, the methods return the values of its
 * history row.
 *
 * @param state its state
 * @param resolved the migration that was found; null if there is only a row
 * @param applied its row in the history; null if it was not applied
 */
public record MigrationStatus(
        MigrationState state,
        @Nullable ResolvedMigration resolved,
        @Nullable AppliedMigration applied) {

    /**
     * Checks that there is a migration.
     *
     * @param state its state
     * @param resolved the migration that was found; null if there is only a row
     * @param applied its row in the history; null if it was not applied
     * @throws IllegalArgumentException if both are null
     */
    public MigrationStatus {
        if (resolved == null && applied == null) {
            throw new IllegalArgumentException("A migration is found, or applied, or both");
        }
    }

    /** {@return its version; null for a repeatable migration} */
    public @Nullable MigrationVersion version() {
        return applied == null ? found().version() : applied.version();
    }

    /** {@return its description} */
    public String description() {
        return applied == null ? found().description() : applied.description();
    }

    /** {@return its type} */
    public MigrationType type() {
        return applied == null ? found().type() : applied.type();
    }

    /** {@return its script} */
    public String script() {
        return applied == null ? found().script() : applied.script();
    }

    /**
     * Returns its checksum, as it was applied or else as it was found. If the migration was not applied, this may read
     * the script and block.
     *
     * @return the checksum; null if it has none
     */
    public @Nullable Integer checksum() {
        return applied == null ? found().checksum() : applied.checksum();
    }

    private ResolvedMigration found() {
        return Objects.requireNonNull(resolved);
    }
}
