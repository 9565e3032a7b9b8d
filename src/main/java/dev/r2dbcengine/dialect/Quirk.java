package dev.r2dbcengine.dialect;

/** Defects of a driver's own SQL parser. Statements are rewritten so that the driver parses them correctly. */
public enum Quirk {
    /** Splits the text at every {@code ;}, even in strings, identifiers and comments; not in a batch. */
    CUTS_AT_SEMICOLONS,

    /** Treats {@code :name} as a parameter. */
    READS_COLON_NAMES,

    /** Treats the quote in {@code \'} as the end of the string. */
    MISSES_BACKSLASH_QUOTES,

    /** Parses the text of a comment that begins with {@code #}, and treats every {@code --} as a comment. */
    MISTAKES_COMMENTS,

    /** Takes the names of columns to return literally, quotes included. */
    QUOTES_RETURNED_NAMES
}
