package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationPlan;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import dev.r2dbcengine.migrate.internal.history.HistoryWriter;
import dev.r2dbcengine.migrate.internal.history.SessionState;
import dev.r2dbcengine.migrate.internal.model.FoundMigrations;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.plan.History;
import dev.r2dbcengine.migrate.internal.plan.PlanOptions;
import dev.r2dbcengine.migrate.internal.plan.Planner;
import java.util.Comparator;
import java.util.List;

/**
 * The state of the database and of the files at one moment.
 *
 * @param session the state of the session that read it
 * @param table the history table, with its schema
 * @param exists whether the table exists
 * @param rows its rows, including the marks of other tools
 * @param placeholders the placeholders, with the values of the session
 * @param found the migrations of all sources
 * @param plan the plan that follows from them
 */
public record MigrationSnapshot(
        SessionState session,
        HistoryTable table,
        boolean exists,
        List<AppliedMigration> rows,
        PlaceholderSettings placeholders,
        FoundMigrations found,
        MigrationPlan plan) {

    HistoryWriter writer(Engine engine, MigrationSettings settings) {
        return new HistoryWriter(engine, table, settings.installedBy(session));
    }

    /** Returns the recorder's writer. A lock of the transaction needs no check: it ends with its transaction. */
    HistoryWriter writerUnderLock(Engine engine, MigrationSettings settings) {
        HistoryWriter writer = writer(engine, settings);
        return settings.lock == LockScope.SESSION ? writer.underLock() : writer;
    }

    Preparation preparation(Engine engine, MigrationSettings settings) {
        return new Preparation(settings, table, writer(engine, settings));
    }

    /** Returns a copy with the session of another connection or of a later time. */
    MigrationSnapshot with(SessionState other) {
        return new MigrationSnapshot(other, table, exists, rows, placeholders, found, plan);
    }

    /** Returns a copy with the plan that follows from other options. */
    MigrationSnapshot with(PlanOptions options) {
        MigrationPlan planned = Planner.plan(found.migrations(), rows, options);
        return new MigrationSnapshot(session, table, exists, rows, placeholders, found, planned);
    }

    /** Returns the snapshot as it would be without the given rows. */
    MigrationSnapshot without(List<AppliedMigration> gone, PlanOptions options) {
        List<AppliedMigration> kept =
                rows.stream().filter(row -> !gone.contains(row)).toList();
        return new MigrationSnapshot(session, table, exists, kept, placeholders, found, plan).with(options);
    }

    /** Returns a copy with the reason why a run would not start. */
    public MigrationSnapshot refused(InvalidMigrationException why) {
        return new MigrationSnapshot(
                session,
                table,
                exists,
                rows,
                placeholders,
                found,
                new MigrationPlan(plan.migrations(), plan.validation(), why));
    }

    boolean hasMigrations() {
        return rows.stream().anyMatch(History::isMigration);
    }

    /** Returns whether the history contains only its baseline. */
    boolean isAtBaseline() {
        return rows.stream()
                .filter(History::isMigration)
                .max(Comparator.comparing(AppliedMigration::rank))
                .filter(last -> last.type().equals(MigrationType.BASELINE))
                .isPresent();
    }

    int nextRank() {
        return 1 + rows.stream().mapToInt(AppliedMigration::rank).reduce(0, Math::max);
    }
}
