package dev.r2dbcengine.migrate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A migration and where it stands: one row of what Flyway's {@code info} shows. What was applied tells more than what was
 * found.
 *
 * @param state where it stands
 * @param resolved what was found; null when there is only the row
 * @param applied its row in the history; null when it was not applied
 */
public record MigrationStatus(
        MigrationState state,
        @Nullable ResolvedMigration resolved,
        @Nullable AppliedMigration applied) {

    /**
     * Checks that there is a migration.
     *
     * @param state where it stands
     * @param resolved what was found
     * @param applied its row in the history
     * @throws IllegalArgumentException if it was neither found nor applied
     */
    public MigrationStatus {
        if (resolved == null && applied == null) {
            throw new IllegalArgumentException("A migration is found, or applied, or both");
        }
    }

    /** {@return its version, null when it is repeatable} */
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
     * Its checksum, as it was applied, or else as it was found. That of a migration that was not applied may read the
     * script: it blocks.
     *
     * @return the checksum; null when it has none
     */
    public @Nullable Integer checksum() {
        return applied == null ? found().checksum() : applied.checksum();
    }

    private ResolvedMigration found() {
        return Objects.requireNonNull(resolved);
    }
}
