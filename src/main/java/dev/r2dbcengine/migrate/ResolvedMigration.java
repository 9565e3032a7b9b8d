package dev.r2dbcengine.migrate;

import org.jspecify.annotations.Nullable;

/** A migration that was found: a script or code. An immutable value, implemented by this library only. */
public interface ResolvedMigration {

    /** {@return its version, null for a repeatable migration} */
    @Nullable MigrationVersion version();

    /** {@return the description in its name, with spaces} */
    String description();

    /** {@return its type, as the history stores it} */
    MigrationType type();

    /** {@return the path below its location, or the name of its class} */
    String script();

    /** {@return the path of its file, or the name of its class} */
    String origin();

    /**
     * Returns the checksum. The first call reads the script: it blocks.
     *
     * @return Flyway's checksum; null for code without one
     * @throws InvalidMigrationException if the script cannot be read
     */
    @Nullable Integer checksum();
}
