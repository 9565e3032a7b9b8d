package dev.r2dbcengine.migrate;

import java.util.List;

/**
 * The result of a repair, which changes the history only.
 *
 * @param removed the removed rows of failed migrations
 * @param deleted the rows of migrations that are no longer found, which a further row now marks as deleted
 * @param aligned the rows, as they were before, whose checksum, description and type were aligned with the files
 */
public record RepairReport(
        List<AppliedMigration> removed, List<AppliedMigration> deleted, List<AppliedMigration> aligned) {

    /**
     * Copies the lists.
     *
     * @param removed the removed rows of failed migrations
     * @param deleted the rows of migrations that are no longer found
     * @param aligned the rows that were changed
     */
    public RepairReport {
        removed = List.copyOf(removed);
        deleted = List.copyOf(deleted);
        aligned = List.copyOf(aligned);
    }
}
