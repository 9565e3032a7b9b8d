package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.MigrationReport.Executed;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The migrations that a run has completed, for its report and for the messages of failures.
 *
 * @param done the participle in messages, such as "applied"
 * @param stay the verb in messages after a failure, such as "stay"
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

    /** Returns how many were completed before a migration that failed. */
    String before() {
        return "Migrations " + done + " before it: " + all.size() + ".";
    }

    /** Returns how many were completed before another failure. */
    String staying() {
        return "Migrations " + done + " before it, which " + stay + ": " + all.size() + ".";
    }
}
