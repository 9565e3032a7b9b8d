package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.Migration;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.model.FileName.MigrationName;
import dev.r2dbcengine.sql.UserCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A migration in code. */
public record MigrationCode(Migration migration) implements MigrationContent {

    public static MigrationName nameOf(Migration migration) {
        String name = migration.getClass().getSimpleName();
        if (NamingRules.CLASSES.read(name) instanceof MigrationName read) {
            return read;
        }
        throw new InvalidMigrationException(
                "The class " + migration.getClass().getName()
                        + " is not named as a migration. Name it like V1_2__Description, or override version() and"
                        + " description()",
                migration.getClass().getName());
    }

    public FoundMigration resolve() {
        String script = migration.getClass().getName();
        MigrationVersion version = migration.version();
        return new FoundMigration(
                new MigrationName(kind(version), version, migration.description()),
                kind(version).codeType(),
                script,
                script,
                this);
    }

    /** Returns the kind in the class name, such as {@code B3__All}, if the version is that of the name. */
    private MigrationKind kind(@Nullable MigrationVersion version) {
        if (version == null) {
            return MigrationKind.REPEATABLE;
        }
        return NamingRules.CLASSES.read(migration.getClass().getSimpleName()) instanceof MigrationName name
                        && name.kind() != MigrationKind.REPEATABLE
                ? name.kind()
                : MigrationKind.VERSIONED;
    }

    @Override
    public @Nullable Integer checksum() {
        return UserCode.callForNullable(migration::checksum);
    }

    @Override
    public boolean matches(@Nullable Integer applied) {
        return Objects.equals(applied, checksum());
    }

    @Override
    public boolean executes() {
        return true;
    }

    @Override
    public MigrationCode with(PlaceholderSettings placeholders) {
        return this;
    }

    @Override
    public void readAhead() {
        // There is nothing to read.
    }

    @Override
    public String toString() {
        return migration.getClass().getName();
    }
}
