package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import org.jspecify.annotations.Nullable;

/** The fate of a released connection. */
public enum Outcome {
    /** The connection is usable and may be reused. */
    KEEP,

    /** The connection is broken or its state unknown: the source closes it. */
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
