package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import reactor.util.context.ContextView;

/** One execution of a statement. Equal only to itself. Threads may share it. */
public interface SqlExecution {

    /**
     * The statement.
     *
     * @return its text as it was written, with the names of its parameters
     */
    String sql();

    /**
     * The dialect in which it is sent.
     *
     * @return the dialect
     */
    Dialect dialect();

    /**
     * The Context of the subscriber, with what {@link SqlListener#entering} has added.
     *
     * @return the Context
     */
    ContextView context();
}
