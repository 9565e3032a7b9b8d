package dev.r2dbcengine.dialect;

/** The kinds of token of a {@link SqlLexer}. */
public enum SqlToken {
    /** The end of the text. */
    END,
    /** White space. */
    SPACE,
    /** A comment, its marks included; one that ends with the line leaves the line's end out. */
    COMMENT,
    /** A comment that runs, as one token: {@code /*! … *}{@code /}. */
    EXECUTABLE_COMMENT,
    /** A keyword, a plain identifier or a number. */
    WORD,
    /** A quoted identifier, its quotes included. */
    IDENTIFIER,
    /** A string in quotes, in which only a doubled quote is special. */
    STRING,
    /** A string in which a backslash escapes, its prefix included where it has one. */
    BACKSLASH_STRING,
    /** {@code U&'…'}. */
    UNICODE_STRING,
    /** {@code U&"…"}. */
    UNICODE_IDENTIFIER,
    /** {@code $tag$ … $tag$}. */
    DOLLAR_STRING,
    /** A named parameter: {@code :name}. */
    PARAMETER,
    /** A mark of the database's own, which the text should not hold: {@code ?} or {@code $1}. */
    MARKER,
    /** A colon that is just a colon, written as it is or as {@code \:}. */
    COLON,
    /** {@code ;}. */
    SEMICOLON,
    /** The delimiter set by {@link SqlLexer#delimiter(String)}. */
    DELIMITER,
    /** The rest of a line, with its end, not tokenized: only from {@link SqlLexer#nextLine()}. */
    LINE,
    /** An opening parenthesis. */
    OPEN,
    /** A closing parenthesis. */
    CLOSE,
    /** Any other single character, {@code ::} or {@code :=}. */
    SYMBOL
}
