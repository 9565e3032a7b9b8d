package dev.r2dbcengine.sql;

import org.jspecify.annotations.Nullable;

/** A row that does not fit what it is mapped to. It names column, component and types, and never tells a value. */
public final class RowMappingException extends StatementException {

    private static final long serialVersionUID = 1L;

    RowMappingException(String message, String sql, @Nullable Throwable cause) {
        super(message, sql);
        if (cause != null) {
            initCause(cause);
        }
    }
}
