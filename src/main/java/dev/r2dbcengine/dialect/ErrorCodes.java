package dev.r2dbcengine.dialect;

import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the error codes and SQLSTATEs of a database to error kinds. Immutable. */
record ErrorCodes(Map<Integer, ErrorKind> codes, Map<String, ErrorKind> states) {

    /** The SQLSTATEs of the SQL standard and those common to the supported databases. */
    static final ErrorCodes STANDARD = new ErrorCodes(Map.of(), Map.of())
            .withStates(ErrorKind.DUPLICATE_KEY, "23505")
            .withStates(ErrorKind.FOREIGN_KEY, "23503")
            .withStates(ErrorKind.NOT_NULL, "23502")
            .withStates(ErrorKind.CHECK, "23513", "23514")
            .withStates(ErrorKind.SERIALIZATION_FAILURE, "40001")
            .withStates(ErrorKind.CANCELLED, "57014")
            .withStates(ErrorKind.TRANSACTION_LOST, "40", "25P01")
            // r2dbc-mariadb reports 25S03 when it has replaced a lost session; PostgreSQL ends a session with the
            // others.
            .withStates(
                    ErrorKind.CONNECTION_LOST,
                    "08",
                    "25S03",
                    "25P03",
                    "25P04",
                    "57P01",
                    "57P02",
                    "57P03",
                    "57P04",
                    "57P05");

    /** MariaDB and MySQL name an option of the server that prevents the statement; {@code --read-only} is one of several. */
    static final int OPTION_PREVENTS_STATEMENT = 1290;

    private static final int MOST_CAUSES = 16;

    ErrorCodes withStates(ErrorKind kind, String... more) {
        Map<String, ErrorKind> all = new HashMap<>(states);
        for (String state : more) {
            all.put(state, kind);
        }
        return new ErrorCodes(codes, Map.copyOf(all));
    }

    ErrorCodes withCodes(ErrorKind kind, int... more) {
        Map<Integer, ErrorKind> all = new HashMap<>(codes);
        for (int code : more) {
            all.put(code, kind);
        }
        return new ErrorCodes(Map.copyOf(all), states);
    }

    ErrorKind kindOf(@Nullable Throwable failure) {
        boolean ofDriver = false;
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
            if (cause instanceof R2dbcException e) {
                if (isAnswer(e) || e instanceof R2dbcNonTransientResourceException) {
                    return kindOf(e);
                }
                ofDriver = true;
            } else if (cause instanceof IOException e && (ofDriver || isOfNetwork(e))) {
                return ErrorKind.CONNECTION_LOST;
            }
        }
        return ErrorKind.OTHER;
    }

    /* Other I/O errors, of a parser or a file, are those of a row mapper or of a migration. */
    private static boolean isOfNetwork(IOException e) {
        return e instanceof SocketException || e instanceof ClosedChannelException;
    }

    /*
     * Drivers use the non-transient resource exception for all answers that they cannot classify, but an answer proves that
     * the session exists: only codes and SQLSTATEs that announce its end count.
     */
    private ErrorKind kindOf(R2dbcException e) {
        ErrorKind kind = codes.get(e.getErrorCode());
        String state = e.getSqlState();
        if (kind == null && state != null) {
            kind = states.getOrDefault(state, states.get(state.substring(0, Math.min(2, state.length()))));
        }
        if (kind != null && !isOfAnotherOption(e)) {
            return kind;
        }
        return isAnswer(e) ? ErrorKind.OTHER : ErrorKind.CONNECTION_LOST;
    }

    private static boolean isOfAnotherOption(R2dbcException e) {
        return e.getErrorCode() == OPTION_PREVENTS_STATEMENT
                && !String.valueOf(e.getMessage()).contains("read-only");
    }

    /* An exception that the driver creates itself carries neither, or one that announces the end of the session. */
    private static boolean isAnswer(R2dbcException e) {
        return e.getSqlState() != null || e.getErrorCode() != 0;
    }
}
