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
     * What a connection is worth after a statement.
     *
     * @param failure how the statement ended, null when it went well
     * @return {@link #DISCARD} when the connection was lost, when a statement on it may still be running, and after an
     *     {@link Error}
     */
    public static Outcome after(@Nullable Throwable failure) {
        if (failure instanceof StatementTimeoutException timeout) {
            return timeout.connectionClosed() ? DISCARD : KEEP;
        }
        boolean lost = failure instanceof Error
                || failure instanceof FatalErrorException
                || Dialect.ANSI.kindOf(failure) == ErrorKind.CONNECTION_LOST;
        return lost ? DISCARD : KEEP;
    }
}
