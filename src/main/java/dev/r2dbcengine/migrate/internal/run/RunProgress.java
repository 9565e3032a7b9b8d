package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.MigrationReport.Executed;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * The migrations that a run has completed, for its report and for the messages of failures.
 *
 * @param done the participle in messages, such as "applied"
 * @param stay the verb in messages after a failure, such as "stay"
 * @param isDoubtful whether a crash of the server may have taken back the last ones
 */
record RunProgress(String done, String stay, List<Executed> all, AtomicBoolean isDoubtful) {

    static RunProgress applied() {
        return new RunProgress("applied", "stay", new CopyOnWriteArrayList<>(), new AtomicBoolean());
    }

    static RunProgress undone() {
        return new RunProgress("undone", "stay undone", new CopyOnWriteArrayList<>(), new AtomicBoolean());
    }

    void add(Executed next) {
        all.add(next);
    }

    /** Removes those that a crash of the server has taken back. */
    void keep(Predicate<Executed> kept) {
        all.removeIf(kept.negate());
    }

    /** Returns how many were completed before a migration that failed. */
    String before() {
        return "Migrations " + done + " before it: " + number();
    }

    /** Returns how many were completed before another failure. */
    String staying() {
        return "Migrations " + done + " before it, which " + stay + ": " + number();
    }

    private String number() {
        return all.size()
                + (isDoubtful.get()
                        ? ", of which a crash of the server may have taken back the last: the next run does those again."
                        : ".");
    }
}
