package dev.r2dbcengine.migrate;

import java.time.Duration;
import java.util.List;

/**
 * The result of a run.
 *
 * @param applied the migrations that were applied or, by undo, reverted, in this order; empty if there was nothing to
 *     do
 * @param warnings probable mistakes, such as files that were skipped
 */
public record MigrationReport(List<Executed> applied, List<String> warnings) {

    /**
     * Copies the lists.
     *
     * @param applied the migrations that were applied or reverted
     * @param warnings probable mistakes
     */
    public MigrationReport {
        applied = List.copyOf(applied);
        warnings = List.copyOf(warnings);
    }

    /**
     * A migration that a run applied, or an undo script that it ran.
     *
     * @param migration the migration
     * @param rank the rank of its row in the history; for an undo script, that of the deleted row
     * @param duration how long it took
     */
    public record Executed(ResolvedMigration migration, int rank, Duration duration) {}
}
