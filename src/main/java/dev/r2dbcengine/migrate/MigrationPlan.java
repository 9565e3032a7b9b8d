package dev.r2dbcengine.migrate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a run.
 *
 * @param migrations all migrations that were found or applied, in the order of Flyway's {@code info}: applied ones by
 *     rank, then the others by version, repeatables last
 * @param validation the problems of history and files; a pending migration is not one
 * @param refusal the error with which {@link MigrationRunner#migrate()} would fail before it starts, such as a problem
 *     of the validation or objects without a history; null if it would start
 */
public record MigrationPlan(
        List<MigrationStatus> migrations,
        ValidationReport validation,
        @Nullable InvalidMigrationException refusal) {

    /**
     * Copies the list.
     *
     * @param migrations all migrations that were found or applied
     * @param validation the problems of history and files
     * @param refusal the error with which a run would fail before it starts; null if it would start
     */
    public MigrationPlan {
        migrations = List.copyOf(migrations);
    }

    /** {@return the migrations that a run would apply, in this order} */
    public List<MigrationStatus> pending() {
        return migrations.stream()
                .filter(migration -> migration.state() == MigrationState.PENDING)
                .toList();
    }
}
