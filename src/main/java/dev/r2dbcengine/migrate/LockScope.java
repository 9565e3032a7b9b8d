package dev.r2dbcengine.migrate;

/** The duration of the lock that excludes other runs. */
public enum LockScope {
    /**
     * From the beginning of a run to its end, on its connection, as with Flyway. On H2, a second connection locks a row
     * of the history.
     */
    SESSION,

    /**
     * One transaction, which contains one migration and its row. For proxies that assign a session to each transaction,
     * such as pgbouncer in transaction mode, where a session lock would stay on a session that other clients use.
     * PostgreSQL only.
     */
    TRANSACTION
}
