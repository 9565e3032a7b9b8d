package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.MigrationReport.Executed;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a run has done until now, for its report and for what its failures tell.
 *
 * @param done what was done with each
 * @param stay that this stays so after a failure
 */
record RunProgress(String done, String stay, List<Executed> all) {

    static RunProgress applied() {
        return new RunProgress("applied", "stay", new CopyOnWriteArrayList<>());
    }

    static RunProgress undone() {
        return new RunProgress("undone", "stay undone", new CopyOnWriteArrayList<>());
    }

    void add(Executed next) {
        all.add(next);
    }

    /** How many there were before a migration that failed. */
    String before() {
        return "Migrations " + done + " before it: " + all.size() + ".";
    }

    /** How many there were before something else that failed. */
    String staying() {
        return "Migrations " + done + " before it, which " + stay + ": " + all.size() + ".";
    }
}
