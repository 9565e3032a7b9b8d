package dev.r2dbcengine.migrate;

import java.util.List;

/**
 * What a run would do, and why.
 *
 * @param migrations all that were found or applied, as Flyway's {@code info} orders them: applied ones by rank, then the
 *     others by version, repeatables last
 * @param validation whether a run may begin
 */
public record MigrationPlan(List<MigrationStatus> migrations, ValidationReport validation) {

    static final MigrationPlan NONE = new MigrationPlan(List.of(), new ValidationReport(List.of()));

    /**
     * Keeps a copy of the list.
     *
     * @param migrations all that were found or applied
     * @param validation whether a run may begin
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
