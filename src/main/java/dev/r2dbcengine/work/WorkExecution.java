package dev.r2dbcengine.work;

import reactor.util.context.Context;

/**
 * One run of a unit of work that has a transaction of its own. The same object in all events of one run, equal only to itself.
 */
public interface WorkExecution {

    /**
     * The unit's name.
     *
     * @return as given by {@link UnitOfWork#name(String)}, or "unit of work"
     */
    String name();

    /**
     * Which attempt of a unit with a {@link RetryPolicy} this is.
     *
     * @return 1 for the first
     */
    int attempt();

    /**
     * The Context of the subscriber, with what {@link WorkListener#entering} has added.
     *
     * @return the Context
     */
    Context context();
}
