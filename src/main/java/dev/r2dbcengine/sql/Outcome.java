package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import org.jspecify.annotations.Nullable;

/** What becomes of a connection that is given back. */
public enum Outcome {
    /** It is fine and may serve the next borrower. */
    KEEP,

    /** It is broken, or nobody knows its state: close it. */
    DISCARD;

    /**
     * Decides whether a connection may be used again after a statement.
     *
     * @param failure the error of the statement, null if it completed
     * @param dialect the dialect of the database, which classifies the error
     * @return {@link #DISCARD} if the connection was lost, if a statement on it may still be running, and after an
     *     {@link Error}
     */
    public static Outcome after(@Nullable Throwable failure, Dialect dialect) {
        if (failure instanceof StatementTimeoutException timeout) {
            return timeout.connectionClosed() ? DISCARD : KEEP;
        }
        boolean lost = failure instanceof Error
                || failure instanceof FatalErrorException
                || dialect.kindOf(failure) == ErrorKind.CONNECTION_LOST;
        return lost ? DISCARD : KEEP;
    }
}
