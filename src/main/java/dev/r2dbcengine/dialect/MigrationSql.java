package dev.r2dbcengine.dialect;

/**
 * The SQL that migrations use besides the scripts, as {@link Dialect#migrations(MigrationSql)} gives it: Flyway's own
 * history table and locks. In a text {@code {table}} stands for the history table, quoted and with its schema, {@code
 * {name}} for its name and what begins like it, {@code {schema}} for the quoted schema, and {@code {hash}} for the
 * {@link String#hashCode() hash code} of {@code {table}}; {@code :schema}, {@code :table} and {@code :user} are values.
 */
public enum MigrationSql {
    /**
     * A query for one row that describes the session: {@code engine_schema}, its current schema; {@code engine_user};
     * {@code engine_database}; {@code engine_version}, the server's version; {@code engine_restore} and {@code
     * engine_settings}, statements that bring the session back to where it is now; null for none.
     */
    SESSION,

    /** A statement that sets up a session before scripts run in it; empty for none. */
    OPEN_SESSION,

    /** An expression for the schema that holds the table with the alias {@code h}. */
    HOME,

    /** Makes {@code {schema}} the current one. */
    USE_SCHEMA,

    /** A query for the number of schemas named {@code :schema}. */
    COUNT_SCHEMAS,

    /** A query for the number of tables named {@code :table} in {@code :schema}. */
    COUNT_TABLES,

    /** A query for the number of objects in {@code :schema} beside the table {@code :table}. */
    COUNT_OBJECTS,

    /** Creates a schema; none is meant when there is one already. */
    CREATE_SCHEMA,

    /** Drops a schema, and what is left in it. */
    DROP_SCHEMA,

    /**
     * A query for the statements, in one column and in their order, that drop all objects of {@code :schema}, beginning with
     * the table {@code :table}.
     */
    DROPS,

    /** Creates the history table. */
    CREATE_TABLE,

    /** Adds its primary key; empty if it is created with the table. */
    CREATE_KEY,

    /** Adds its index. */
    CREATE_INDEX,

    /** A query that tries once to lock, for the session, and gives 1 when it has the lock; empty for a row lock. */
    TRY_LOCK,

    /** A query that takes the session's lock back, and gives 1 when there was one. */
    UNLOCK,

    /** A condition that is true while the session holds the lock of TRY_LOCK; empty if the database does not report it. */
    HOLDS_LOCK,

    /** A query that tries once to lock, for the transaction, and gives 1 when it has the lock; empty where there is none. */
    TRY_LOCK_TRANSACTION,

    /**
     * A query for the session that holds the lock, or no row: {@code engine_session}, its number as text; {@code
     * engine_user}; {@code engine_client}, its program and address; {@code engine_seconds}, the whole seconds since it
     * began. All but the first may be null. Empty if the database does not report it.
     */
    LOCK_HOLDER,

    /** A query for the names of indexes that a statement outside of a transaction has left unfinished. */
    INVALID_INDEXES,

    /** A query that locks a row of the history table until the transaction ends, and gives it; empty for a session lock. */
    LOCK_ROW,

    /** Writes the row to lock, where it is missing. */
    CREATE_ROW
}
