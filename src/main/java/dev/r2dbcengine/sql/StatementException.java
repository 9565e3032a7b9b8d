package dev.r2dbcengine.sql;

/** What goes wrong with a statement before or after the database: its parameters, its rows, its time. It never tells a value. */
public abstract class StatementException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** See {@link #sql()}. */
    private final String sql;

    StatementException(String message, String sql) {
        super(message + " [" + sql + "]");
        this.sql = sql;
    }

    /**
     * The statement.
     *
     * @return its text as it was written
     */
    public String sql() {
        return sql;
    }
}
