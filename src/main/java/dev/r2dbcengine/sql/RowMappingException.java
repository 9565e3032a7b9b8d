package dev.r2dbcengine.sql;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a row cannot be mapped to the requested type. The message names column, component and types, never a
 * value.
 */
public final class RowMappingException extends StatementException {

    private static final long serialVersionUID = 1L;

    RowMappingException(String message, String sql, @Nullable Throwable cause) {
        super(message, sql);
        if (cause != null) {
            initCause(cause);
        }
    }
}
