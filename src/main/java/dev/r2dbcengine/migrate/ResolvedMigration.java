package dev.r2dbcengine.migrate;

import dev.r2dbcengine.migrate.internal.model.MigrationContent;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.model.FileName.MigrationName;
import org.jspecify.annotations.Nullable;

/** A migration that was found. An immutable value; threads may share it. */
public final class ResolvedMigration {

    private final MigrationName name;
    private final MigrationType type;
    private final String script;
    private final String origin;
    private final MigrationContent content;

    public ResolvedMigration(MigrationName name, MigrationType type, String script, String origin, MigrationContent content) {
        this.name = name;
        this.type = type;
        this.script = script;
        this.origin = origin;
        this.content = content;
    }

    /** {@return its version, null when it is repeatable} */
    public @Nullable MigrationVersion version() {
        return name.version();
    }

    /** {@return what its name says, with spaces} */
    public String description() {
        return name.description();
    }

    /** {@return its type, as the history will show it} */
    public MigrationType type() {
        return type;
    }

    /** {@return the path below its location, or the name of its class} */
    public String script() {
        return script;
    }

    /** {@return where it lies} */
    public String origin() {
        return origin;
    }

    /**
     * Its checksum. The first call reads the script: it blocks.
     *
     * @return Flyway's checksum; null for code that has none
     * @throws InvalidMigrationException if the script cannot be read
     */
    public @Nullable Integer checksum() {
        return content.checksum();
    }

    public MigrationKind kind() {
        return name.kind();
    }

    public MigrationContent content() {
        return content;
    }

    public ResolvedMigration with(PlaceholderSettings placeholders) {
        return new ResolvedMigration(name, type, script, origin, content.with(placeholders));
    }

    /** Reads what every run needs. What is wrong with it is told to who asks for it. */
    public void readAhead() {
        content.readAhead();
    }

    @Override
    public String toString() {
        return origin;
    }
}
