package dev.r2dbcengine.work;

import reactor.util.context.Context;

/**
 * One execution of a unit of work that has its own transaction. All events of an execution receive the same object, which is
 * equal only to itself.
 */
public interface WorkExecution {

    /**
     * Returns the name of the unit.
     *
     * @return the name set by {@link UnitOfWork#name(String)}; default: "unit of work"
     */
    String name();

    /**
     * Returns the number of the attempt, for units with a {@link RetryPolicy}.
     *
     * @return 1 for the first attempt
     */
    int attempt();

    /**
     * Returns the Context of the subscriber, including the additions of {@link WorkListener#entering}.
     *
     * @return the Context
     */
    Context context();
}
