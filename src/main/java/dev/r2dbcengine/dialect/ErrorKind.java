package dev.r2dbcengine.dialect;

/** Database-independent classification of errors. */
public enum ErrorKind {
    /** A unique constraint is violated. */
    DUPLICATE_KEY,
    /** A foreign key constraint is violated. */
    FOREIGN_KEY,
    /** A not-null constraint is violated. */
    NOT_NULL,
    /** A check constraint is violated. */
    CHECK,
    /** The transaction conflicts with a concurrent one and must be retried. */
    SERIALIZATION_FAILURE,
    /** The transaction was the victim of a deadlock and must be retried. */
    DEADLOCK,
    /** The lock wait timed out. */
    LOCK_TIMEOUT,
    /** The statement was cancelled, by a timeout or by a request. */
    CANCELLED,
    /** The transaction no longer exists, while the connection does: the database has rolled it back, or has none open. */
    TRANSACTION_LOST,
    /**
     * The transaction takes no more statements. An earlier one has failed; or, if none has, the driver had a cached plan
     * that a change of the schema has outdated, and the same transaction succeeds when it is run again.
     */
    TRANSACTION_ABORTED,
    /**
     * The server accepts no writes: it is a replica, or was demoted. The connection must be closed, since a new one may reach
     * the primary. PostgreSQL reports the same for a write in a transaction that was declared read-only.
     */
    READ_ONLY_SERVER,
    /** The session at the database no longer exists, and with it its transaction. The connection must be closed. */
    CONNECTION_LOST,
    /** Anything else. */
    OTHER
}
