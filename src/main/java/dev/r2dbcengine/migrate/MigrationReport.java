package dev.r2dbcengine.migrate;

import java.time.Duration;
import java.util.List;

/**
 * What a run did.
 *
 * @param applied what it applied or, by undo, took back, in this order; none when there was nothing to do
 * @param warnings what somebody should look at
 */
public record MigrationReport(List<Executed> applied, List<String> warnings) {

    /**
     * Keeps copies of the lists.
     *
     * @param applied what it applied or took back
     * @param warnings what somebody should look at
     */
    public MigrationReport {
        applied = List.copyOf(applied);
        warnings = List.copyOf(warnings);
    }

    /**
     * A migration that a run applied, or an undo script that it ran.
     *
     * @param migration which one
     * @param rank of its row in the history; of an undo script, the row that is gone
     * @param duration how long it took
     */
    public record Executed(ResolvedMigration migration, int rank, Duration duration) {}
}
