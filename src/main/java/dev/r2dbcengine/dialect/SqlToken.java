package dev.r2dbcengine.dialect;

/** The kinds of token of a {@link SqlLexer}. */
public enum SqlToken {
    /** The end of the text. */
    END,
    /** White space. */
    SPACE,
    /** A comment with its marks; without the line break that ends it. */
    COMMENT,
    /** A comment whose content is executed, as one token: {@code /*! … *}{@code /}. */
    EXECUTABLE_COMMENT,
    /** A keyword, a plain identifier or a number. */
    WORD,
    /** An identifier with its quotes. */
    IDENTIFIER,
    /** A string in quotes, in which only a doubled quote is special. */
    STRING,
    /** A string in which a backslash escapes, with its prefix if it has one. */
    BACKSLASH_STRING,
    /** {@code U&'…'}. */
    UNICODE_STRING,
    /** {@code U&"…"}. */
    UNICODE_IDENTIFIER,
    /** {@code $tag$ … $tag$}. */
    DOLLAR_STRING,
    /** A named parameter: {@code :name}. */
    PARAMETER,
    /** A parameter marker of the database, {@code ?} or {@code $1}, which statements must not contain. */
    MARKER,
    /** A literal colon, written {@code :} or {@code \:}. */
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
