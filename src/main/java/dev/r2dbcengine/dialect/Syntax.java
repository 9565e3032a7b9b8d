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

    /** {@code --} begins a comment only before white space or the end: {@code 1--1} is two. Only a line feed ends it. */
    DASHES_NEED_SPACE,

    /** A comment in a comment has to be closed as well. */
    NESTED_COMMENTS,

    /** {@code /*! … *}{@code /} and {@code /*M! … *}{@code /} run. */
    EXECUTABLE_COMMENTS,

    /** {@code ?} is part of operators and never marks a parameter. */
    QUESTION_OPERATORS
}
