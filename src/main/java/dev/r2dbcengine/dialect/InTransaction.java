package dev.r2dbcengine.dialect;

/** Whether a statement of a script runs in a transaction. */
public enum InTransaction {
    /** It does, and its changes are rolled back with those of the transaction. */
    YES,

    /** The database refuses it in a transaction. */
    NO,

    /** It changes the session, and can run inside or outside a transaction. */
    EITHER
}
