package dev.r2dbcengine.sql;

import org.jspecify.annotations.Nullable;

/** A mapping error without its statement, which {@link #in} adds. */
final class RowMismatch extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String what;

    RowMismatch(String what, @Nullable Throwable cause) {
        super(what, cause, false, false);
        this.what = what;
    }

    RowMappingException in(String sql) {
        return new RowMappingException(what, sql, getCause());
    }
}
