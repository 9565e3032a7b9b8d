package dev.r2dbcengine.dialect;

/** What a database, reached through its driver, can do. Callers ask {@link Dialect#has(Feature)}, never which database it is. */
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

    /** An insert can return the generated columns of every row that it wrote. Without it, of one row. */
    RETURNING_MANY,

    /** An insert can return any column that it wrote. Without it, exactly one: the generated key. */
    RETURNING_COLUMNS,

    /** Several marks of one parameter can share a number, so that its value is sent once. */
    SHARED_MARKERS
}
