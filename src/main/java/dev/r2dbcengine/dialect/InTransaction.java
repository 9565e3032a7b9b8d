package dev.r2dbcengine.dialect;

/** Whether a statement of a script runs in a transaction. */
public enum InTransaction {
    /** It does: what it changes is undone with the rest. */
    YES,

    /** The database refuses it in a transaction. */
    NO,

    /** It is about the session, and may stand beside statements of both kinds. */
    EITHER
}
