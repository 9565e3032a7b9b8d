package dev.r2dbcengine.sql;

/**
 * Base class of errors detected by this library: invalid parameters, rows that cannot be mapped, timeouts. The message
 * contains no values.
 */
public abstract class StatementException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** See {@link #sql()}. */
    private final String sql;

    StatementException(String message, String sql) {
        super(message + " [" + sql + "]");
        this.sql = sql;
    }

    /**
     * Returns the text of the statement.
     *
     * @return the text as written
     */
    public String sql() {
        return sql;
    }
}
