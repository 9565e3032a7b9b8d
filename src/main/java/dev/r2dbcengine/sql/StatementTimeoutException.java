package dev.r2dbcengine.sql;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A statement took longer than it was allowed to, and was ended. */
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
     * What the statement was allowed.
     *
     * @return the timeout
     */
    public Duration timeout() {
        return timeout;
    }

    /**
     * Whether the connection had to be closed to end the statement.
     *
     * @return false when the database ended the statement and the connection is as good as before
     */
    public boolean connectionClosed() {
        return connectionClosed;
    }
}
