package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.InvalidMigrationException;
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
 * What a look at the database and at the files has shown.
 *
 * @param session of the connection that looked
 * @param table the history table, with its schema
 * @param exists whether it is there
 * @param rows its rows, other tools' marks among them
 * @param placeholders with the values that the session gives
 * @param found what the sources have
 * @param plan what follows
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

    Preparation preparation(Engine engine, MigrationSettings settings) {
        return new Preparation(settings, table, writer(engine, settings));
    }

    /** With the session of another connection, or of a later time. */
    MigrationSnapshot with(SessionState other) {
        return new MigrationSnapshot(other, table, exists, rows, placeholders, found, plan);
    }

    /** With what follows by these options. */
    MigrationSnapshot with(PlanOptions options) {
        MigrationPlan planned = Planner.plan(found.migrations(), rows, options);
        return new MigrationSnapshot(session, table, exists, rows, placeholders, found, planned);
    }

    /** What it would be without these rows. */
    MigrationSnapshot without(List<AppliedMigration> gone, PlanOptions options) {
        List<AppliedMigration> kept =
                rows.stream().filter(row -> !gone.contains(row)).toList();
        return new MigrationSnapshot(session, table, exists, kept, placeholders, found, plan).with(options);
    }

    /** With why a run would not begin. */
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

    /** Whether nothing has followed upon the baseline that the history begins with. */
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
