package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import reactor.util.context.ContextView;

/** One execution of a statement. Compared by identity; safe for use by several threads. */
public interface SqlExecution {

    /**
     * Returns the text of the statement.
     *
     * @return the text as written, with named parameters
     */
    String sql();

    /**
     * Returns the dialect in which the statement is sent.
     *
     * @return the dialect
     */
    Dialect dialect();

    /**
     * Returns the Context of the subscriber, or the one that {@link SqlListener#entering} returned.
     *
     * @return the Context
     */
    ContextView context();
}
