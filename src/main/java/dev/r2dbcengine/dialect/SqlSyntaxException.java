package dev.r2dbcengine.dialect;

/**
 * Thrown when SQL text ends inside a quote or a comment. Reports where the quote or comment begins, and none of the
 * text.
 */
public final class SqlSyntaxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** See {@link #what()}. */
    private final String what;
    /** See {@link #line()}. */
    private final int line;
    /** See {@link #column()}. */
    private final int column;

    SqlSyntaxException(String what, int line, int column) {
        super(what + " that begins in line " + line + ", column " + column + " never ends");
        this.what = what;
        this.line = line;
        this.column = column;
    }

    /**
     * Returns the unterminated construct.
     *
     * @return the beginning of a sentence: {@code A string}, {@code A comment}
     */
    public String what() {
        return what;
    }

    /**
     * Returns the line in which the quote or comment begins.
     *
     * @return the line, from 1
     */
    public int line() {
        return line;
    }

    /**
     * Returns the column in which the quote or comment begins.
     *
     * @return the column, from 1
     */
    public int column() {
        return column;
    }
}
