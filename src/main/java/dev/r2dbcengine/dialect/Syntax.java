package dev.r2dbcengine.dialect;

/**
 * Lexical rules that a database has beyond standard SQL. Standard SQL has strings in single quotes, identifiers in
 * double quotes (a doubled quote stands for one), comments from {@code --} to the end of the line, and comments {@code
 * /* … *}{@code /}.
 */
public enum Syntax {
    /** {@code E'it\'s'}: a backslash escapes in a string with this prefix. */
    ESCAPE_STRINGS,

    /** {@code U&'d\0061t'} and {@code U&"d\0061t"}. */
    UNICODE_STRINGS,

    /** {@code $$ … $$}: nothing inside is special. */
    DOLLAR_QUOTES,

    /** {@code $tag$ … $tag$}, in addition to {@link #DOLLAR_QUOTES}. */
    DOLLAR_TAGS,

    /** A backslash escapes in every string. */
    BACKSLASH_STRINGS,

    /** Double quotes make a string, not an identifier. */
    DOUBLE_QUOTED_STRINGS,

    /** Backticks quote an identifier. */
    BACKTICKS,

    /** {@code #} begins a comment that ends with the line. */
    HASH_COMMENTS,

    /** {@code //} begins a comment that ends with the line. */
    SLASH_COMMENTS,

    /**
     * {@code --} begins a comment only before white space or the end: {@code 1--1} is two. Only a line feed ends it. In a
     * script, a carriage return ends it too, and lines that begin with {@code --} where a statement may begin are comments.
     */
    DASHES_NEED_SPACE,

    /** Comments nest: each inner comment must be closed. */
    NESTED_COMMENTS,

    /** The content of {@code /*! … *}{@code /} and {@code /*M! … *}{@code /} is executed. */
    EXECUTABLE_COMMENTS,

    /** {@code ?} is part of operators and never marks a parameter. */
    QUESTION_OPERATORS,

    /** {@code create function … begin atomic …; …; end}. */
    ATOMIC_BODIES,

    /**
     * The bodies of procedures, functions, triggers and events consist of statements and blocks: {@code begin}, {@code
     * case}, {@code if}, {@code loop}, {@code while}, {@code repeat} and {@code for}, up to their {@code end}. A
     * statement may also begin with {@code begin not atomic} or with one of these words.
     */
    STORED_PROGRAMS,

    /**
     * In a script, a line {@code DELIMITER //} makes {@code //} the end of a statement. The line is not sent to the
     * server.
     */
    DELIMITER_COMMANDS,

    /**
     * In a script, {@code \name} is a command for the command-line client. No statement contains a backslash outside
     * quotes.
     */
    META_COMMANDS,

    /** In a script, the lines after {@code copy … from stdin;} are data, up to a line {@code \.}. */
    COPY_DATA
}
