package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.MigrationVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a plan.
 *
 * @param target the last version
 * @param outOfOrder whether versions below the newest applied one are applied
 * @param baselineOnMigrate the version of a schema without a history; null disables the baseline
 * @param ignore the states that validation ignores
 * @param cherryPick the selected migrations in the order of application; empty selects all
 */
public record PlanOptions(
        MigrationTarget target,
        boolean outOfOrder,
        @Nullable MigrationVersion baselineOnMigrate,
        IgnorePatterns ignore,
        CherryPick cherryPick) {

    public static final PlanOptions DEFAULT =
            new PlanOptions(MigrationTarget.LATEST, false, null, IgnorePatterns.DEFAULT, CherryPick.ALL);

    public PlanOptions target(String text) {
        return new PlanOptions(MigrationTarget.of(text), outOfOrder, baselineOnMigrate, ignore, cherryPick);
    }

    public PlanOptions outOfOrder(boolean on) {
        return new PlanOptions(target, on, baselineOnMigrate, ignore, cherryPick);
    }

    public PlanOptions baselineOnMigrate(MigrationVersion version) {
        return new PlanOptions(target, outOfOrder, version, ignore, cherryPick);
    }

    public PlanOptions ignore(String... patterns) {
        return new PlanOptions(target, outOfOrder, baselineOnMigrate, IgnorePatterns.of(patterns), cherryPick);
    }

    public PlanOptions ignoring(String pattern) {
        return new PlanOptions(target, outOfOrder, baselineOnMigrate, ignore.and(pattern), cherryPick);
    }

    public PlanOptions cherryPick(String... picks) {
        return new PlanOptions(target, outOfOrder, baselineOnMigrate, ignore, new CherryPick(List.of(picks)));
    }
}
