package dev.r2dbcengine.migrate.internal.plan;

import dev.r2dbcengine.migrate.MigrationVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plan depends on besides migrations and history.
 *
 * @param target how far to go
 * @param outOfOrder whether versions below the newest applied one are applied
 * @param baselineOnMigrate the version that a schema without a history is taken to have, null when none is to be assumed
 * @param ignore what validation does not look at
 * @param cherryPick versions of versioned and descriptions of repeatable migrations, in the order in which they are applied;
 *     empty for all
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
