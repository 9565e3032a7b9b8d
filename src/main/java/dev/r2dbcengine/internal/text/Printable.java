package dev.r2dbcengine.internal.text;

/**
 * Text from elsewhere, a file's name or what a database answers, as a message may show it. It stands in its line as it is read:
 * it ends no line of a log, gives a terminal no command, and does not run from right to left over what is around it.
 */
public final class Printable {

    private static final String BIDIRECTIONAL =
            "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    private Printable() {}

    /**
     * The text in one line.
     *
     * @param text any text
     * @return the same, with its number in Java's notation for each character that is not to be seen but does something:
     *     controls, ends of lines and paragraphs, marks of direction, halves of characters
     */
    public static String line(String text) {
        return shown(text, "");
    }

    /**
     * The text with its lines.
     *
     * @param text any text
     * @return the same as of {@link #line}, but with tabs and ends of lines as they are
     */
    public static String lines(String text) {
        return shown(text, "\t\n\r");
    }

    private static String shown(String text, String kept) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (acts(c) && kept.indexOf(c) < 0) {
                out.append(String.format("\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    /**
     * Returns a number with its noun.
     *
     * @param number how many
     * @param noun in the singular, of those whose plural ends in {@code s}
     * @return {@code 1 row} or {@code 2 rows}
     */
    public static String count(long number, String noun) {
        return number + " " + noun(number, noun);
    }

    /**
     * Returns the noun in the singular or the plural.
     *
     * @param number how many
     * @param noun in the singular, of those whose plural ends in {@code s}
     * @return {@code row} or {@code rows}
     */
    public static String noun(long number, String noun) {
        return number == 1 ? noun : noun + "s";
    }

    /**
     * Returns whether a character is a control or formatting character.
     *
     * @param codePoint the character
     * @return whether {@link #line} writes it by its number
     */
    public static boolean acts(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                true;
            default -> BIDIRECTIONAL.indexOf(codePoint) >= 0;
        };
    }
}
