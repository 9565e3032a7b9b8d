package dev.r2dbcengine.migrate;

import java.util.List;

/**
 * The result of a validation.
 *
 * @param problems the problems in the order of the migrations; empty if history and files match
 */
public record ValidationReport(List<ValidationProblem> problems) {

    /**
     * Copies the list.
     *
     * @param problems the problems in the order of the migrations
     */
    public ValidationReport {
        problems = List.copyOf(problems);
    }

    /** {@return whether there are no problems} */
    public boolean valid() {
        return problems.isEmpty();
    }
}
