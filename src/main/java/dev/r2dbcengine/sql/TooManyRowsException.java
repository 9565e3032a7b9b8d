package dev.r2dbcengine.sql;

/** Thrown by {@link Rows#one()} for more than one row. */
public final class TooManyRowsException extends StatementException {

    private static final long serialVersionUID = 1L;

    TooManyRowsException(String sql) {
        super("The statement has more than one row: use first(), all(), or a condition that holds for one row", sql);
    }
}
