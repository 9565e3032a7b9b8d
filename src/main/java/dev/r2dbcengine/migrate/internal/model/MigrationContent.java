package dev.r2dbcengine.migrate.internal.model;

import org.jspecify.annotations.Nullable;

/** What a migration consists of. The first call may read the script, and block. */
public sealed interface MigrationContent permits MigrationScript, MigrationCode {

    /** What the history keeps. */
    @Nullable Integer checksum();

    /** Whether this is what was applied with that checksum. */
    boolean matches(@Nullable Integer applied);

    /** Whether it may run at all. */
    boolean executes();

    /** Whether both are one script: the same text, at the same place or by the same name below another location. */
    default boolean isSameScriptAs(MigrationContent other) {
        return false;
    }

    /** The same with these placeholders. */
    MigrationContent with(PlaceholderSettings placeholders);

    /** Does what of this needs no placeholders, and tells of no failure. */
    void readAhead();
}
