package dev.r2dbcengine.dialect;

/** What went wrong, in terms that hold for every database. */
public enum ErrorKind {
    /** A value that has to be unique is there already. */
    DUPLICATE_KEY,
    /** A row that is referred to is missing, or is still referred to. */
    FOREIGN_KEY,
    /** A value is missing where one has to be. */
    NOT_NULL,
    /** A check constraint does not hold. */
    CHECK,
    /** The transaction met a concurrent one and has to be run again. */
    SERIALIZATION_FAILURE,
    /** The transaction was chosen to end a deadlock and has to be run again. */
    DEADLOCK,
    /** A lock was not to be had in time. */
    LOCK_TIMEOUT,
    /** The statement was ended: its time was up, or somebody asked for it. */
    CANCELLED,
    /** The transaction no longer exists, while the connection does: the database has rolled it back, or has none open. */
    TRANSACTION_LOST,
    /**
     * The transaction takes no more statements. An earlier one has failed; or, if none has, the driver had a cached plan
     * that a change of the schema has outdated, and the same transaction succeeds when it is run again.
     */
    TRANSACTION_ABORTED,
    /** The session at the database no longer exists, and with it its transaction. The connection must be closed. */
    CONNECTION_LOST,
    /** Anything else. */
    OTHER
}
