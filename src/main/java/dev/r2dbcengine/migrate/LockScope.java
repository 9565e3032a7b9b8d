package dev.r2dbcengine.migrate;

/** How long the lock that keeps other runs away lasts, where the database gives a choice. */
public enum LockScope {
    /**
     * From the begin of a run to its end, on the run's connection: as Flyway's. On H2, a row of the history that a second
     * connection keeps locked.
     */
    SESSION,

    /**
     * As long as one transaction, which holds one migration with its row: for proxies that give each transaction another
     * session, as pgbouncer does in transaction mode. A lock of the session would stay behind there, on a session that
     * others use. PostgreSQL only.
     */
    TRANSACTION
}
