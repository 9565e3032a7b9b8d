package dev.r2dbcengine.dialect;

/** Capabilities of a database with its driver. Callers ask {@link Dialect#has(Feature)}, never which database it is. */
public enum Feature {
    /** The driver works, and waits, on the thread that calls it: no event loop may call it. */
    BLOCKING,

    /** DDL takes part in a transaction and is undone by a rollback. */
    TRANSACTIONAL_DDL,

    /** A transaction declared read-only refuses to write. Elsewhere read-only is a hint. */
    READ_ONLY,

    /**
     * The driver reads as many rows as were asked for, whichever thread asks. Without it everything is asked for when a
     * row stream is subscribed, and what the subscriber has not yet asked for waits in memory.
     */
    BACKPRESSURE,

    /**
     * A deadlock or a serialization failure ends the whole transaction, not only the statement, and silently: later
     * statements are auto-committed. Elsewhere the transaction stays open, and is aborted or continues.
     */
    CONFLICTS_END_TRANSACTIONS,

    /**
     * A statement that the database refuses aborts its transaction: all that follow are refused, until a rollback, to a
     * savepoint or of the whole. The driver may pass over calls of a transaction in that state silently.
     */
    FAILURES_ABORT_TRANSACTIONS,

    /** An update can return columns of the rows that it wrote, as an insert can. */
    UPDATE_RETURNING,

    /** A delete can return columns of the rows that it deleted. */
    DELETE_RETURNING,

    /** One insert of several rows takes less time than one insert for each row. */
    MULTI_ROW_INSERT
}
