package dev.r2dbcengine.cli;

import dev.r2dbcengine.internal.text.Printable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A text table of limited width.
 *
 * @param head the column titles
 * @param rows the rows; each has as many cells as there are titles
 */
record Table(List<String> head, List<List<String>> rows) {

    private static final String GAP = "  ";
    private static final String RULE = "-";

    private static final Set<Character.UnicodeScript> WIDE_SCRIPTS = EnumSet.of(
            Character.UnicodeScript.HAN,
            Character.UnicodeScript.HIRAGANA,
            Character.UnicodeScript.KATAKANA,
            Character.UnicodeScript.HANGUL);

    /** Half-width letters of the wide scripts. */
    private static final Range HALF_WIDTH = new Range(0xFF61, 0xFFDC);

    /** Punctuation and full-width forms of the wide scripts, and pictographs. */
    private static final List<Range> WIDE = List.of(
            new Range(0x3000, 0x303E),
            new Range(0xFF01, 0xFF60),
            new Range(0xFFE0, 0xFFE6),
            new Range(0x1F300, 0x1F64F),
            new Range(0x1F900, 0x1F9FF));

    Table {
        rows = rows.stream()
                .map(row -> row.stream().map(Printable::line).toList())
                .toList();
    }

    /** Returns the titles, a rule and the rows. The widest columns are truncated to the available width. */
    List<String> lines(int width, String ellipsis) {
        int[] widths = widths(width - GAP.length() * (head.size() - 1), ellipsis.length() + 1);
        List<String> rule = IntStream.of(widths).mapToObj(RULE::repeat).toList();
        return Stream.concat(Stream.of(head, rule), rows.stream())
                .map(row -> line(row, widths, ellipsis))
                .toList();
    }

    private int[] widths(int available, int minimum) {
        int[] widths = IntStream.range(0, head.size()).map(this::natural).toArray();
        while (IntStream.of(widths).sum() > available && widest(widths) >= 0) {
            int widest = widest(widths);
            if (widths[widest] <= minimum) {
                return widths;
            }
            widths[widest]--;
        }
        return widths;
    }

    private int natural(int column) {
        return Stream.concat(Stream.of(head), rows.stream())
                .mapToInt(row -> length(row.get(column)))
                .max()
                .orElse(0);
    }

    private static int widest(int[] widths) {
        return IntStream.range(0, widths.length)
                .reduce((one, other) -> widths[other] > widths[one] ? other : one)
                .orElse(-1);
    }

    private static String line(List<String> row, int[] widths, String ellipsis) {
        List<String> cells = new ArrayList<>();
        for (int column = 0; column < widths.length; column++) {
            String cell = cut(row.get(column), widths[column], ellipsis);
            cells.add(cell + " ".repeat(widths[column] - length(cell)));
        }
        return cells.stream().collect(Collectors.joining(GAP)).stripTrailing();
    }

    /** Returns the text, truncated with an ellipsis if it is longer than the width. */
    static String cut(String text, int width, String ellipsis) {
        return length(text) <= width ? text : text.substring(0, fitting(text, width - ellipsis.length())) + ellipsis;
    }

    /** Returns the index after the last character that fits in the width. */
    private static int fitting(String text, int width) {
        int end = 0;
        int used = 0;
        while (end < text.length() && used + columns(text.codePointAt(end)) <= width) {
            used += columns(text.codePointAt(end));
            end += Character.charCount(text.codePointAt(end));
        }
        return end;
    }

    private static int length(String text) {
        return text.codePoints().map(Table::columns).sum();
    }

    /** Returns the columns of a character on a terminal: two for wide ones, none for combining ones. */
    private static int columns(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(c) ? 2 : 1;
        };
    }

    private static boolean isWide(int c) {
        return WIDE_SCRIPTS.contains(Character.UnicodeScript.of(c))
                ? !HALF_WIDTH.contains(c)
                : WIDE.stream().anyMatch(range -> range.contains(c));
    }

    private record Range(int first, int last) {
        boolean contains(int c) {
            return first <= c && c <= last;
        }
    }
}
