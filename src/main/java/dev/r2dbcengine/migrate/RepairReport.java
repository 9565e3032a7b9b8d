package dev.r2dbcengine.migrate;

import java.util.List;

/**
 * What a repair did to the history. It never touches anything else.
 *
 * @param removed rows of migrations that had failed
 * @param deleted rows of migrations that are not found any more: a further row says so
 * @param aligned rows as they were before checksum, description and type of what was found were put there
 */
public record RepairReport(
        List<AppliedMigration> removed, List<AppliedMigration> deleted, List<AppliedMigration> aligned) {

    /**
     * Keeps copies of the lists.
     *
     * @param removed rows of migrations that had failed
     * @param deleted rows of migrations that are not found any more
     * @param aligned rows that were changed
     */
    public RepairReport {
        removed = List.copyOf(removed);
        deleted = List.copyOf(deleted);
        aligned = List.copyOf(aligned);
    }
}
