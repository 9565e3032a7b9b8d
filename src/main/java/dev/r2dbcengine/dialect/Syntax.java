package dev.r2dbcengine.dialect;

/**
 * Lexical rules that a database has beyond standard SQL. Standard are: strings in single quotes, identifiers in double
 * quotes (a doubled quote stands for one), comments from {@code --} to the end of the line, and {@code /* … *}{@code /}.
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

    /** A comment in a comment has to be closed as well. */
    NESTED_COMMENTS,

    /** {@code /*! … *}{@code /} and {@code /*M! … *}{@code /} run. */
    EXECUTABLE_COMMENTS,

    /** {@code ?} is part of operators and never marks a parameter. */
    QUESTION_OPERATORS,

    /** {@code create function … begin atomic …; …; end}. */
    ATOMIC_BODIES,

    /**
     * The bodies of procedures, functions, triggers and events are statements and blocks: {@code begin}, {@code case},
     * {@code if}, {@code loop}, {@code while}, {@code repeat} and {@code for}, up to their {@code end}. So is what begins
     * with {@code begin not atomic} or with one of these words.
     */
    STORED_PROGRAMS,

    /** In a script, {@code DELIMITER //} and a line's end make {@code //} end statements. The server knows nothing of it. */
    DELIMITER_COMMANDS,

    /** In a script, {@code \name} is a command to the command-line client. No statement has a backslash outside quotes. */
    META_COMMANDS,

    /** In a script, data follow {@code copy … from stdin;} from the next line on, up to a line that is {@code \.}. */
    COPY_DATA
}
