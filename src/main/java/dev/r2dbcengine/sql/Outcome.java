package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fate of a released connection. */
public enum Outcome {
    /** The connection is usable and may be reused. */
    KEEP,

    /** The connection is broken or its state unknown: the source closes it. */
    DISCARD;

    private static final Set<ErrorKind> USELESS = EnumSet.of(ErrorKind.CONNECTION_LOST, ErrorKind.READ_ONLY_SERVER);

    /**
     * Decides whether a connection may be used again after a statement.
     *
     * @param failure the error of the statement, null if it completed
     * @param dialect the dialect of the database, which classifies the error
     * @return {@link #DISCARD} if the connection was lost, if its server accepts no writes, if a statement on it may still be
     *     running, and after an {@link Error}
     */
    public static Outcome after(@Nullable Throwable failure, Dialect dialect) {
        if (failure instanceof StatementTimeoutException timeout) {
            return timeout.connectionClosed() ? DISCARD : KEEP;
        }
        boolean useless = failure instanceof Error
                || failure instanceof FatalErrorException
                || USELESS.contains(dialect.kindOf(failure));
        return useless ? DISCARD : KEEP;
    }
}
