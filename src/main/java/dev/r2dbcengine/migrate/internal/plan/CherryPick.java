package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.model.FileName;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The selected migrations in the order of application, by the rules of Flyway's {@code cherryPick}: a version, or a
 * description with spaces or with {@code _}.
 *
 * @param picks the selection; empty selects all
 */
record CherryPick(List<String> picks) {

    static final CherryPick ALL = new CherryPick(List.of());

    CherryPick {
        picks = List.copyOf(picks);
    }

    boolean picksAll() {
        return picks.isEmpty();
    }

    /**
     * Returns whether a migration is selected. Baselines and undo scripts are not: they have the version of another
     * migration.
     */
    boolean picks(FoundMigration migration) {
        return place(migration) < picks.size();
    }

    boolean picks(@Nullable MigrationVersion version, String description) {
        return place(version, description) < picks.size();
    }

    Comparator<FoundMigration> order() {
        return Comparator.comparingInt(this::place);
    }

    private int place(FoundMigration migration) {
        boolean pickable = migration.kind() == MigrationKind.VERSIONED || migration.kind() == MigrationKind.REPEATABLE;
        return pickable ? place(migration.version(), migration.description()) : picks.size();
    }

    private int place(@Nullable MigrationVersion version, String description) {
        for (int i = 0; i < picks.size(); i++) {
            if (matches(picks.get(i), version, description)) {
                return i;
            }
        }
        return picks.size();
    }

    private static boolean matches(String pick, @Nullable MigrationVersion version, String description) {
        Optional<MigrationVersion> picked = FileName.version(pick);
        boolean byVersion = version != null && picked.isPresent();
        return byVersion ? picked.get().equals(version) : pick.replace('_', ' ').equals(description);
    }
}
