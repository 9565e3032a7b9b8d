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
     * The driver emits as many rows as are requested, on any thread. Without it, all rows are requested when a row
     * stream is subscribed, and rows without demand wait in memory.
     */
    BACKPRESSURE,

    /**
     * A deadlock or a serialization failure ends the whole transaction, not only the statement, and silently: later
     * statements are auto-committed. Elsewhere the transaction stays open, and is aborted or continues.
     */
    CONFLICTS_END_TRANSACTIONS,

    /**
     * A failed statement aborts its transaction: later statements are rejected until a rollback of the transaction or
     * to a savepoint. The driver may silently skip transaction calls in that state.
     */
    FAILURES_ABORT_TRANSACTIONS,

    /** An update can return columns of the rows that it wrote, as an insert can. */
    UPDATE_RETURNING,

    /** A delete can return columns of the rows that it deleted. */
    DELETE_RETURNING,

    /** An insert can return one column, its generated key: the driver returns the key under any name that is asked for. */
    RETURNS_KEY_ONLY,

    /** One insert of several rows takes less time than one insert for each row. */
    MULTI_ROW_INSERT
}
