package dev.r2dbcengine.dialect;

import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a database's error codes and SQLSTATEs mean. Immutable. */
record ErrorCodes(Map<Integer, ErrorKind> codes, Map<String, ErrorKind> states) {

    /** What the SQL standard, or everybody, says. */
    static final ErrorCodes STANDARD = new ErrorCodes(Map.of(), Map.of())
            .withStates(ErrorKind.DUPLICATE_KEY, "23505")
            .withStates(ErrorKind.FOREIGN_KEY, "23503")
            .withStates(ErrorKind.NOT_NULL, "23502")
            .withStates(ErrorKind.CHECK, "23513", "23514")
            .withStates(ErrorKind.SERIALIZATION_FAILURE, "40001")
            .withStates(ErrorKind.CANCELLED, "57014")
            // The second is PostgreSQL's: no transaction goes on after it, whatever dialect is asked.
            .withStates(ErrorKind.CONNECTION_LOST, "08", "25P03");

    /**
     * The classes of SQLSTATE that speak of a statement or of its transaction: the session that tells them is there.
     * PostgreSQL's driver tells of most of them as of a resource that is no more, and one for MySQL of what it has no word for.
     */
    private static final Set<String> OF_STATEMENTS = Set.of(
            "0A", "0B", "0L", "0P", "20", "21", "22", "23", "24", "25", "26", "27", "2B", "2D", "2F", "34", "38", "39",
            "3B", "3F", "40", "42", "44", "54", "55", "72", "F0", "HV", "HY", "P0");

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
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
            if (cause instanceof R2dbcException told) {
                return kindOf(told);
            }
            if (cause instanceof IOException) {
                return ErrorKind.CONNECTION_LOST;
            }
        }
        return ErrorKind.OTHER;
    }

    private ErrorKind kindOf(R2dbcException told) {
        ErrorKind kind = codes.get(told.getErrorCode());
        String state = told.getSqlState();
        if (kind == null && state != null) {
            kind = states.getOrDefault(state, states.get(state.substring(0, Math.min(2, state.length()))));
        }
        if (kind == null && told instanceof R2dbcNonTransientResourceException && !isOfStatement(state)) {
            return ErrorKind.CONNECTION_LOST;
        }
        return kind == null ? ErrorKind.OTHER : kind;
    }

    private static boolean isOfStatement(@Nullable String state) {
        return state != null && OF_STATEMENTS.contains(state.substring(0, Math.min(2, state.length())));
    }
}
