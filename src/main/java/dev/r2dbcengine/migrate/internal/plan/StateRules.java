package dev.r2dbcengine.migrate.internal.plan;

import static dev.r2dbcengine.migrate.MigrationState.ABOVE_TARGET;
import static dev.r2dbcengine.migrate.MigrationState.AVAILABLE;
import static dev.r2dbcengine.migrate.MigrationState.BASELINE;
import static dev.r2dbcengine.migrate.MigrationState.BASELINE_IGNORED;
import static dev.r2dbcengine.migrate.MigrationState.BELOW_BASELINE;
import static dev.r2dbcengine.migrate.MigrationState.DELETED;
import static dev.r2dbcengine.migrate.MigrationState.FAILED;
import static dev.r2dbcengine.migrate.MigrationState.FUTURE_FAILED;
import static dev.r2dbcengine.migrate.MigrationState.FUTURE_SUCCESS;
import static dev.r2dbcengine.migrate.MigrationState.IGNORED;
import static dev.r2dbcengine.migrate.MigrationState.MISSING_FAILED;
import static dev.r2dbcengine.migrate.MigrationState.MISSING_SUCCESS;
import static dev.r2dbcengine.migrate.MigrationState.OUTDATED;
import static dev.r2dbcengine.migrate.MigrationState.OUT_OF_ORDER;
import static dev.r2dbcengine.migrate.MigrationState.PENDING;
import static dev.r2dbcengine.migrate.MigrationState.SUCCESS;
import static dev.r2dbcengine.migrate.MigrationState.SUPERSEDED;
import static dev.r2dbcengine.migrate.MigrationState.UNDONE;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import org.jspecify.annotations.Nullable;

/**
 * Determines the state of a migration by Flyway's rules. The first rule that applies decides.
 *
 * @param next the version of the target {@code next}; null if no version is pending
 */
record StateRules(
        FoundIndex found,
        History history,
        PlanOptions options,
        @Nullable MigrationVersion next) {

    MigrationState unapplied(FoundMigration migration) {
        MigrationVersion version = migration.version();
        if (version != null && migration.kind() == MigrationKind.UNDO) {
            return history.isApplied(version) ? AVAILABLE : IGNORED;
        }
        if (!options.cherryPick().picksAll()) {
            return options.cherryPick().picks(migration) ? PENDING : IGNORED;
        }
        if (!migration.content().executes()) {
            return IGNORED;
        }
        return version == null ? PENDING : versioned(version, migration.kind() == MigrationKind.BASELINE);
    }

    private MigrationState versioned(MigrationVersion version, boolean isBaseline) {
        boolean empty = history.lastApplied() == null;
        MigrationVersion baseline = empty ? found.unappliedBaseline() : history.baseline();
        if (baseline != null && baseline.newerThan(version)) {
            return BELOW_BASELINE;
        }
        boolean begins = isBaseline && empty && history.baseline() == null;
        if (version.equals(baseline)) {
            return begins && version.equals(found.unappliedBaseline()) ? PENDING : BASELINE_IGNORED;
        }
        if (options.target().isExceededBy(version, history, next)) {
            return ABOVE_TARGET;
        }
        MigrationVersion lastApplied = history.lastApplied();
        boolean tooLate = lastApplied != null && lastApplied.newerThan(version) && !options.outOfOrder();
        return tooLate || isBaseline ? IGNORED : PENDING;
    }

    MigrationState applied(History.Entry entry, @Nullable FoundMigration migration) {
        AppliedMigration row = entry.row;
        if (entry.undone) {
            return UNDONE;
        }
        if (entry.deleted) {
            return DELETED;
        }
        if (row.type().synthetic()) {
            return row.type().baseline() ? BASELINE : SUCCESS;
        }
        if (row.type().baseline() && !row.success()) {
            return FAILED;
        }
        if (migration == null && entry.newest && !row.type().undo()) {
            return unresolved(row);
        }
        if (!row.success()) {
            return FAILED;
        }
        return row.type().baseline() ? BASELINE : successful(entry, migration);
    }

    private MigrationState unresolved(AppliedMigration row) {
        MigrationVersion newest = found.newest();
        MigrationVersion version = row.version();
        if (version == null || (newest != null && newest.newerThan(version))) {
            return row.success() ? MISSING_SUCCESS : MISSING_FAILED;
        }
        return row.success() ? FUTURE_SUCCESS : FUTURE_FAILED;
    }

    private static MigrationState successful(History.Entry entry, @Nullable FoundMigration migration) {
        if (entry.row.version() != null) {
            return entry.outOfOrder && !entry.row.type().undo() ? OUT_OF_ORDER : SUCCESS;
        }
        if (!entry.newest) {
            return SUPERSEDED;
        }
        return migration != null && migration.content().matches(entry.row.checksum()) ? SUCCESS : OUTDATED;
    }
}
