package dev.r2dbcengine.dialect;

/**
 * The SQL texts that migrations use besides the scripts, for Flyway's history table and locks; see {@link
 * Dialect#migrations(MigrationSql)}. In a text, {@code {table}} stands for the quoted history table with its schema,
 * {@code {name}} for its name as a part of other names, {@code {schema}} for the quoted schema, and {@code {hash}} for
 * the {@link String#hashCode() hash code} of {@code {table}}; {@code :schema}, {@code :table} and {@code :user} are
 * parameters.
 */
public enum MigrationSql {
    /**
     * A query for one row that describes the session: {@code engine_schema}, its current schema; {@code engine_user};
     * {@code engine_database}; {@code engine_version}, the version of the server; {@code engine_restore} and {@code
     * engine_settings}, statements that restore the present state of the session, or null.
     */
    SESSION,

    /** A statement that sets up a session before scripts run in it; empty for none. */
    OPEN_SESSION,

    /** An expression for the schema of the table with the alias {@code h}. */
    HOME,

    /** Makes {@code {schema}} the current one. */
    USE_SCHEMA,

    /** A query for the number of schemas named {@code :schema}. */
    COUNT_SCHEMAS,

    /** A query for the number of tables named {@code :table} in {@code :schema}. */
    COUNT_TABLES,

    /** A query for the number of objects in {@code :schema} beside the table {@code :table}. */
    COUNT_OBJECTS,

    /** Creates a schema unless it exists. */
    CREATE_SCHEMA,

    /** Drops a schema with the objects that remain in it. */
    DROP_SCHEMA,

    /**
     * A query for the statements that drop all objects of {@code :schema}: one column, in order, the table {@code
     * :table} first.
     */
    DROPS,

    /** Creates the history table. */
    CREATE_TABLE,

    /** Adds its primary key; empty if it is created with the table. */
    CREATE_KEY,

    /** Adds its index. */
    CREATE_INDEX,

    /** A query that tries once to acquire a session lock, and returns 1 on success; empty if the lock is a row. */
    TRY_LOCK,

    /** A query that releases the session lock, and returns 1 if the session held it. */
    UNLOCK,

    /** A condition that is true while the session holds the lock of TRY_LOCK; empty if the database does not report it. */
    HOLDS_LOCK,

    /**
     * A condition that is true, and lets the server answer the COMMIT of its transaction before it has flushed the log;
     * empty if the database has none.
     */
    UNFLUSHED_COMMIT,

    /** A query that waits until the server has flushed the log with all earlier commits. */
    FLUSH,

    /**
     * A query that tries once to acquire a transaction lock, and returns 1 on success; empty if the database has none.
     */
    TRY_LOCK_TRANSACTION,

    /**
     * A query for the session that holds the lock, or no row: {@code engine_session}, its id as text; {@code
     * engine_user}; {@code engine_client}, its program and address; {@code engine_seconds}, the whole seconds since it
     * connected. All but the first may be null. Empty if the database does not report it.
     */
    LOCK_HOLDER,

    /** A query for the names of invalid indexes that a statement outside a transaction has left. */
    INVALID_INDEXES,

    /**
     * A query that locks a row of the history table until the transaction ends, and returns it; empty for a session
     * lock.
     */
    LOCK_ROW,

    /** Inserts the row to lock if it is missing. */
    CREATE_ROW
}
