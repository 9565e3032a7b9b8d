package dev.r2dbcengine.sql;

/** {@link Rows#one()} met a second row. */
public final class TooManyRowsException extends StatementException {

    private static final long serialVersionUID = 1L;

    TooManyRowsException(String sql) {
        super("The statement has more than one row: use first(), all(), or a condition that holds for one row", sql);
    }
}
