package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An index of the migrations that were found, by the values of a history row. */
public final class FoundIndex {

    /** The length of the column for descriptions. */
    static final int LONGEST_DESCRIPTION = 200;

    private final Map<Object, FoundMigration> byKey = new HashMap<>();
    private final List<FoundMigration> all;
    private final Set<FoundMigration> unapplied;
    private @Nullable MigrationVersion newest;
    private @Nullable MigrationVersion unappliedBaseline;

    FoundIndex(List<FoundMigration> found, History history) {
        this.all = found;
        this.unapplied = new LinkedHashSet<>(found);
        found.forEach(this::add);
        history.entries().forEach(this::apply);
        for (FoundMigration migration : unapplied) {
            MigrationVersion version = migration.version();
            if (version != null && migration.kind() == MigrationKind.BASELINE) {
                unappliedBaseline = version.newerThan(unappliedBaseline) ? version : unappliedBaseline;
            }
        }
    }

    private record VersionKey(MigrationVersion version, MigrationType type) {}

    private static Object key(@Nullable MigrationVersion version, MigrationType type, String description) {
        return version == null ? cut(description) : new VersionKey(version, type);
    }

    /** Cuts a description as Flyway does. */
    public static String cut(String description) {
        return description.length() <= LONGEST_DESCRIPTION
                ? description
                : description.substring(0, LONGEST_DESCRIPTION - 3) + "...";
    }

    private void add(FoundMigration migration) {
        MigrationVersion version = migration.version();
        byKey.put(key(version, migration.type(), migration.description()), migration);
        if (version != null && migration.kind() != MigrationKind.UNDO) {
            newest = version.newerThan(newest) ? version : newest;
        }
    }

    /** A repeatable migration is applied if its newest row has its checksum. */
    private void apply(History.Entry entry) {
        FoundMigration migration = of(entry.row);
        if (migration != null && entry.stands() && (entry.row.version() != null || isCurrent(entry, migration))) {
            unapplied.remove(migration);
        }
    }

    private static boolean isCurrent(History.Entry entry, FoundMigration migration) {
        return entry.newest && migration.content().matches(entry.row.checksum());
    }

    List<FoundMigration> all() {
        return all;
    }

    @Nullable FoundMigration of(AppliedMigration row) {
        return byKey.get(key(row.version(), row.type(), row.description()));
    }

    Set<FoundMigration> unapplied() {
        return unapplied;
    }

    /** Returns the highest version that was found. */
    @Nullable MigrationVersion newest() {
        return newest;
    }

    /** Returns the highest version of a baseline script that was not applied. */
    @Nullable MigrationVersion unappliedBaseline() {
        return unappliedBaseline;
    }
}
