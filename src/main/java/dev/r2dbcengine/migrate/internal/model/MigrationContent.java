package dev.r2dbcengine.migrate.internal.model;

import org.jspecify.annotations.Nullable;

/** The content of a migration. The first call may read the script and block. */
public sealed interface MigrationContent permits MigrationScript, MigrationCode {

    /** Returns the checksum for the history; null if there is none. */
    @Nullable Integer checksum();

    /** Returns whether a checksum in the history is that of this content. */
    boolean matches(@Nullable Integer applied);

    /** Returns whether {@code shouldExecute} permits it to run. */
    boolean executes();

    /**
     * Returns whether both are one script: the same text in the same file, or under the same name in another location.
     */
    default boolean isSameScriptAs(MigrationContent other) {
        return false;
    }

    /** Returns a copy with other placeholders. */
    MigrationContent with(PlaceholderSettings placeholders);

    /** Reads ahead what does not depend on placeholders. Ignores failures, which a later call reports. */
    void readAhead();
}
