package dev.r2dbcengine.dialect;

/** Defects of a driver's own SQL parser. Statements are rewritten so that the driver parses them correctly. */
public enum Quirk {
    /** Cuts the text at every {@code ;}, also at those in strings, identifiers and comments; but not that of a batch. */
    CUTS_AT_SEMICOLONS,

    /** Takes {@code :name} for a parameter of its own. */
    READS_COLON_NAMES,

    /** Takes the quote in {@code \'} for the end of the string. */
    MISSES_BACKSLASH_QUOTES,

    /** Reads on in a comment that begins with {@code #}, and takes every {@code --} for one. */
    MISTAKES_COMMENTS,

    /** Takes the names of columns to return literally, quotes included. */
    QUOTES_RETURNED_NAMES
}
