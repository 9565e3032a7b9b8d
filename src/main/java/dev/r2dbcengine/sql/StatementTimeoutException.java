package dev.r2dbcengine.sql;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown when a statement exceeded its timeout and was cancelled. */
public final class StatementTimeoutException extends StatementException {

    private static final long serialVersionUID = 1L;

    /** See {@link #timeout()}. */
    private final Duration timeout;
    /** See {@link #connectionClosed()}. */
    private final boolean connectionClosed;

    StatementTimeoutException(Duration timeout, boolean connectionClosed, String sql, @Nullable Throwable cause) {
        super(
                "The statement took longer than its timeout of " + timeout + " and was ended"
                        + (connectionClosed ? ", and its connection closed with it" : "")
                        + ": raise SqlStatement.timeout(…) or let it do less",
                sql);
        this.timeout = timeout;
        this.connectionClosed = connectionClosed;
        if (cause != null) {
            initCause(cause);
        }
    }

    /**
     * Returns the timeout of the statement.
     *
     * @return the timeout
     */
    public Duration timeout() {
        return timeout;
    }

    /**
     * Returns whether the connection had to be closed to cancel the statement.
     *
     * @return false if the database cancelled the statement and the connection is still usable
     */
    public boolean connectionClosed() {
        return connectionClosed;
    }
}
