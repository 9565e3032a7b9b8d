package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.MigrationVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rows of the history table, with the effects of rows that refer to others. */
public final class History {

    private static final MigrationType TABLE = new MigrationType("TABLE");

    /** Returns whether a row is about a migration: Flyway's own marks, such as the row that locks the table on H2, are not. */
    public static boolean isMigration(AppliedMigration row) {
        return row.rank() >= 0 && !row.type().equals(TABLE);
    }

    public static boolean isDelete(AppliedMigration row) {
        return row.type().equals(MigrationType.DELETE);
    }

    /** A row, and the effects of later rows on it. */
    static final class Entry {
        final AppliedMigration row;
        boolean deleted;
        boolean undone;
        boolean outOfOrder;
        /** Whether it is the newest row of its repeatable migration; true for a versioned one. */
        boolean newest = true;

        private Entry(AppliedMigration row) {
            this.row = row;
        }

        /** Returns whether the row still describes the database. */
        boolean stands() {
            return !deleted && !undone && !History.isDelete(row) && !row.type().undo();
        }

        /** Returns whether a later DELETE row can refer to this one. */
        private boolean isOf(AppliedMigration other) {
            return !row.type().synthetic()
                    && !row.type().undo()
                    && Objects.equals(row.version(), other.version())
                    && (row.version() != null || row.description().equals(other.description()));
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private @Nullable MigrationVersion baseline;
    private @Nullable MigrationVersion lastApplied;

    History(List<AppliedMigration> rows, @Nullable MigrationVersion baselineOnMigrate) {
        List<AppliedMigration> migrations = rows.stream()
                .filter(History::isMigration)
                .sorted(Comparator.comparingInt(AppliedMigration::rank))
                .toList();
        migrations.forEach(this::add);
        findNewest();
        findOrder();
        if (migrations.isEmpty()) {
            baseline = baselineOnMigrate;
            lastApplied = baselineOnMigrate;
        }
    }

    List<Entry> entries() {
        return entries;
    }

    /** Returns the highest version of a baseline. */
    @Nullable MigrationVersion baseline() {
        return baseline;
    }

    /** Returns the highest version that was applied or is the version of a baseline. */
    @Nullable MigrationVersion lastApplied() {
        return lastApplied;
    }

    boolean isApplied(MigrationVersion version) {
        return entries.stream().anyMatch(entry -> entry.stands() && version.equals(entry.row.version()));
    }

    private void add(AppliedMigration row) {
        MigrationVersion version = row.version();
        if (version != null && row.type().baseline()) {
            baseline = version.newerThan(baseline) ? version : baseline;
        }
        if (row.success() && row.type().undo()) {
            last(row, entry -> !entry.undone).ifPresent(entry -> entry.undone = true);
        }
        if (row.success() && History.isDelete(row)) {
            delete(row);
        }
        // Flyway does not show the DELETE rows of versions, but it shows those of repeatables.
        if (version == null || !History.isDelete(row) || !row.success()) {
            entries.add(new Entry(row));
        }
    }

    private Optional<Entry> last(AppliedMigration row, Predicate<Entry> open) {
        return entries.stream()
                .filter(entry -> entry.isOf(row) && open.test(entry))
                .reduce((first, second) -> second);
    }

    private void delete(AppliedMigration row) {
        last(row, entry -> true).ifPresent(entry -> {
            if (entry.deleted && row.version() != null) {
                throw new InvalidMigrationException(
                        "The history says twice that version " + row.version() + " was deleted. Remove the row of rank "
                                + row.rank() + " from the history table",
                        row.version().toString());
            }
            entry.deleted = true;
        });
    }

    private void findNewest() {
        Map<String, Entry> newest = new HashMap<>();
        for (Entry entry : entries) {
            if (entry.row.version() == null) {
                Entry older = newest.put(entry.row.description(), entry);
                if (older != null) {
                    older.newest = false;
                }
            }
        }
    }

    private void findOrder() {
        for (Entry entry : entries) {
            MigrationVersion version = entry.row.version();
            if (version == null) {
                continue;
            }
            if (!version.newerThan(lastApplied)) {
                entry.outOfOrder = true;
            } else if (entry.stands()) {
                lastApplied = version;
            }
        }
    }
}
