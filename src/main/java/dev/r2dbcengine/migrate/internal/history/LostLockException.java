package dev.r2dbcengine.migrate.internal.history;

/** The session of a run does not hold the lock of the run any more. */
public final class LostLockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LostLockException(HistoryTable table) {
        super("the session does not hold the lock of " + table.qualified()
                + ", so that another run may migrate at the same time. Behind a proxy that shares sessions between"
                + " clients, set lock(TRANSACTION), which PostgreSQL supports, or connect directly; in a script, leave"
                + " the locks of the session alone");
    }
}
