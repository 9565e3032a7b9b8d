package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.ResolvedMigration;
import dev.r2dbcengine.migrate.internal.model.FileName.MigrationName;
import org.jspecify.annotations.Nullable;

/** A migration with its content. Compared by identity. */
public final class FoundMigration implements ResolvedMigration {

    private final MigrationName name;
    private final MigrationType type;
    private final String script;
    private final String origin;
    private final MigrationContent content;

    public FoundMigration(
            MigrationName name, MigrationType type, String script, String origin, MigrationContent content) {
        this.name = name;
        this.type = type;
        this.script = script;
        this.origin = origin;
        this.content = content;
    }

    /** Returns the migration of a status, null if only its row in the history is left. */
    public static @Nullable FoundMigration of(MigrationStatus status) {
        return (FoundMigration) status.resolved();
    }

    @Override
    public @Nullable MigrationVersion version() {
        return name.version();
    }

    @Override
    public String description() {
        return name.description();
    }

    @Override
    public MigrationType type() {
        return type;
    }

    @Override
    public String script() {
        return script;
    }

    @Override
    public String origin() {
        return origin;
    }

    @Override
    public @Nullable Integer checksum() {
        return content.checksum();
    }

    public MigrationKind kind() {
        return name.kind();
    }

    public MigrationContent content() {
        return content;
    }

    public FoundMigration with(PlaceholderSettings placeholders) {
        return new FoundMigration(name, type, script, origin, content.with(placeholders));
    }

    /** Reads what does not depend on placeholders. A failure is reported by the first call that needs the content. */
    public void readAhead() {
        content.readAhead();
    }

    @Override
    public String toString() {
        return origin;
    }
}
