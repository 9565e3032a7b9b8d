package dev.r2dbcengine.migrate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run would do, and why.
 *
 * @param migrations all that were found or applied, as Flyway's {@code info} orders them: applied ones by rank, then the
 *     others by version, repeatables last
 * @param validation whether history and files fit, what is pending left aside
 * @param refusal what {@link MigrationRunner#migrate()} would fail with before it begins, such as what is wrong by the
 *     validation, unless it does not validate, or objects without a history; null when it would begin
 */
public record MigrationPlan(
        List<MigrationStatus> migrations,
        ValidationReport validation,
        @Nullable InvalidMigrationException refusal) {

    /**
     * Keeps a copy of the list.
     *
     * @param migrations all that were found or applied
     * @param validation whether history and files fit
     * @param refusal what a run would fail with before it begins
     */
    public MigrationPlan {
        migrations = List.copyOf(migrations);
    }

    /** {@return what a run would apply, in this order} */
    public List<MigrationStatus> pending() {
        return migrations.stream()
                .filter(migration -> migration.state() == MigrationState.PENDING)
                .toList();
    }
}
