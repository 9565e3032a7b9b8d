package dev.r2dbcengine.dialect;

import java.util.Set;

/** Writes the tokens of one text so that a driver with {@link Quirk}s understands them as the database does. */
final class DriverText {

    private static final String SEMICOLON = "\\003b";

    private final boolean cutsAtSemicolons;
    private final boolean readsColonNames;
    private final boolean missesBackslashQuotes;
    private final boolean mistakesComments;

    /* Adjacent strings are one string, so rewriting one affects its neighbour. */
    private boolean afterString;
    private boolean afterRewritten;
    private boolean afterDash;
    private boolean afterColon;

    DriverText(Set<Quirk> quirks) {
        this.cutsAtSemicolons = quirks.contains(Quirk.CUTS_AT_SEMICOLONS);
        this.readsColonNames = quirks.contains(Quirk.READS_COLON_NAMES);
        this.missesBackslashQuotes = quirks.contains(Quirk.MISSES_BACKSLASH_QUOTES);
        this.mistakesComments = quirks.contains(Quirk.MISTAKES_COMMENTS);
    }

    void append(SqlToken token, char[] text, int from, int to, StringBuilder out) {
        if (afterColon && readsColonNames && (token == SqlToken.WORD || text[from] == '-')) {
            out.append(' ');
        }
        switch (token) {
            case SPACE -> out.append(text, from, to - from);
            case COMMENT -> comment(text, from, to, out);
            case STRING, UNICODE_STRING, DOLLAR_STRING -> string(token, text, from, to, out);
            default -> {
                other(token, text, from, to, out);
                afterString = false;
            }
        }
        afterColon = token == SqlToken.COLON;
        afterDash = token == SqlToken.SYMBOL && text[from] == '-';
    }

    private void other(SqlToken token, char[] text, int from, int to, StringBuilder out) {
        switch (token) {
            case COLON -> out.append(':');
            case PARAMETER -> plainColon(text, from, to, out);
            case BACKSLASH_STRING -> backslashString(text, from, to, out);
            case IDENTIFIER, UNICODE_IDENTIFIER -> identifier(token, text, from, to, out);
            case SYMBOL -> symbol(text, from, to, out);
            case WORD -> word(text, from, to, out);
            default -> out.append(text, from, to - from);
        }
    }

    /* In a script nothing is bound, and a colon belongs to a label. */
    private void plainColon(char[] text, int from, int to, StringBuilder out) {
        out.append(readsColonNames ? ": " : ":").append(text, from + 1, to - from - 1);
    }

    private void comment(char[] text, int from, int to, StringBuilder out) {
        if (mistakesComments && text[from] == '#') {
            return;
        }
        replace(text, from, to, cutsAtSemicolons ? "," : ";", out);
    }

    private void symbol(char[] text, int from, int to, StringBuilder out) {
        if (mistakesComments && afterDash && text[from] == '-') {
            out.append(' ');
        }
        out.append(text, from, to - from);
    }

    private void word(char[] text, int from, int to, StringBuilder out) {
        if (afterRewritten && afterString && "UESCAPE".equalsIgnoreCase(new String(text, from, to - from))) {
            throw new IllegalArgumentException("A string with UESCAPE holds a ';', which the driver cannot read: write"
                    + " the string without UESCAPE");
        }
        out.append(text, from, to - from);
    }

    private void backslashString(char[] text, int from, int to, StringBuilder out) {
        for (int i = from; i < to; i++) {
            char c = text[i];
            if (c != '\\' || i + 1 == to) {
                out.append(c);
            } else {
                escaped(text[++i], text[to - 1], out);
            }
        }
    }

    private void escaped(char c, char quote, StringBuilder out) {
        if (!missesBackslashQuotes || (c != '\'' && c != '"')) {
            out.append('\\').append(c);
        } else if (c == quote) {
            out.append(c).append(c);
        } else {
            out.append(c);
        }
    }

    private void identifier(SqlToken token, char[] text, int from, int to, StringBuilder out) {
        boolean rewrite = cutsAtSemicolons && contains(text, from, to);
        if (rewrite && token == SqlToken.UNICODE_IDENTIFIER) {
            replace(text, from, to, SEMICOLON, out);
        } else if (rewrite) {
            out.append("U&\"");
            unicode(text, from + 1, to - 1, text[from], '"', out);
            out.append('"');
        } else {
            out.append(text, from, to - from);
        }
    }

    private void string(SqlToken token, char[] text, int from, int to, StringBuilder out) {
        boolean rewrite = cutsAtSemicolons && contains(text, from, to);
        if (afterString && (rewrite || afterRewritten)) {
            out.append("|| ");
        }
        if (rewrite) {
            rewritten(token, text, from, to, out);
        } else {
            out.append(text, from, to - from);
        }
        afterString = true;
        afterRewritten = rewrite;
    }

    private static void rewritten(SqlToken token, char[] text, int from, int to, StringBuilder out) {
        if (token == SqlToken.UNICODE_STRING) {
            replace(text, from, to, SEMICOLON, out);
            return;
        }
        boolean dollars = token == SqlToken.DOLLAR_STRING;
        int quotes = dollars ? tagLength(text, from) : 1;
        out.append("U&'");
        unicode(text, from + quotes, to - quotes, dollars ? '\0' : '\'', '\'', out);
        out.append('\'');
    }

    private static int tagLength(char[] text, int from) {
        int end = from + 1;
        while (text[end] != '$') {
            end++;
        }
        return end + 1 - from;
    }

    /* Converts the text between the old quotes, or an unquoted text, for the new quotes. */
    private static void unicode(char[] text, int from, int to, char oldQuote, char quote, StringBuilder out) {
        for (int i = from; i < to; i++) {
            char c = text[i];
            if (c == oldQuote) {
                i++;
            }
            if (c == quote) {
                out.append(quote);
            }
            if (c == ';') {
                out.append(SEMICOLON);
            } else if (c == '\\') {
                out.append("\\\\");
            } else {
                out.append(c);
            }
        }
    }

    private static void replace(char[] text, int from, int to, String semicolon, StringBuilder out) {
        for (int i = from; i < to; i++) {
            if (text[i] == ';') {
                out.append(semicolon);
            } else {
                out.append(text[i]);
            }
        }
    }

    private static boolean contains(char[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == ';') {
                return true;
            }
        }
        return false;
    }
}
