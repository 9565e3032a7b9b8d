package dev.r2dbcengine.migrate;

import java.util.List;

/**
 * Whether a history and the migrations that were found fit.
 *
 * @param problems in the order of the migrations; none when all is well
 */
public record ValidationReport(List<ValidationProblem> problems) {

    /**
     * Keeps a copy of the list.
     *
     * @param problems in the order of the migrations
     */
    public ValidationReport {
        problems = List.copyOf(problems);
    }

    /** {@return whether nothing is wrong} */
    public boolean valid() {
        return problems.isEmpty();
    }
}
