package dev.r2dbcengine.testing;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Texts of any length that cause excessive work, waiting or recursion in readers of SQL. */
public enum NastyText {
    OPENED(repeated("(")),
    CLOSED(repeated(")")),
    NESTED(size -> "(".repeat(size / 2) + ")".repeat(size / 2)),
    BRACKETS(repeated("[")),
    QUOTES(repeated("'")),
    QUOTED_QUOTES(repeated("' ")),
    DOUBLE_QUOTES(repeated("\"")),
    BACKTICKS(repeated("`")),
    UNENDED_STRING(size -> "'" + "x".repeat(size)),
    BACKSLASHES(size -> "E'" + "\\".repeat(size)),
    ESCAPES(repeated("\\:")),
    COMMENTS_OPENED(repeated("/*")),
    COMMENTS_NESTED(size -> "/*".repeat(size / 4) + "*/".repeat(size / 4)),
    SLASHES_AND_STARS(repeated("/*/")),
    EXECUTABLE(repeated("/*!")),
    EXECUTABLE_STARS(size -> "/*!" + "*".repeat(size)),
    DASHES(repeated("--")),
    DASHES_AND_LINES(repeated("--\n")),
    HASHES(repeated("#")),
    DOLLARS(repeated("$")),
    TAGS(size -> numbered(size, "$tag", "$")),
    ONE_LONG_TAG(size -> "$" + "a".repeat(size / 2) + "$" + ("$" + "a".repeat(size / 8)).repeat(4)),
    ALMOST_TAGS(size -> "$ab$" + "$a".repeat(size / 2)),
    MARKS(size -> "select $1 " + numbered(size, " $s", "")),
    COLONS(repeated(":")),
    PARAMETERS(repeated(":a")),
    PARAMETERS_APART(repeated(" :a")),
    MANY_PARAMETERS(size -> numbered(size, " :p", "")),
    LONG_PARAMETER(size -> ":" + "a".repeat(size)),
    LONG_WORD(repeated("a")),
    WORDS(repeated("a ")),
    SEMICOLONS(repeated(";")),
    STATEMENTS(repeated("a;")),
    SPACES(repeated(" ")),
    LINES(repeated("\n")),
    RETURNS(repeated("\r")),
    NULS(repeated("\0")),
    LONE_SURROGATES(repeated("\ud800")),
    BEGINS(size -> "create procedure p() " + "begin ".repeat(size / 6)),
    BLOCKS(size -> "create procedure p() " + "begin if case loop ".repeat(size / 19)),
    BLOCKS_CLOSED(size -> "begin not atomic " + "begin ".repeat(size / 10) + "end; ".repeat(size / 10)),
    ATOMIC_CASES(size -> "create function f() begin atomic " + "case ".repeat(size / 5)),
    DELIMITERS(repeated("DELIMITER $$\nDELIMITER ;\n")),
    LONG_DELIMITER(size -> "DELIMITER " + "a".repeat(size / 3) + "\n" + ("a".repeat(size / 3 - 1) + " ").repeat(2)),
    COPIES(repeated("copy t from stdin;\n\\.\n")),
    UNENDED_COPY(size -> "copy t from stdin;\n" + "1\n".repeat(size / 2)),
    COPY_OF_ONE_LINE(size -> "copy t from stdin;\n" + "1".repeat(size) + "\n\\.\n"),
    COPY_WORDS(size -> "copy " + "from stdi ".repeat(size / 10)),
    REINDEX(size -> "reindex " + "tablespace a ".repeat(size / 13)),
    ALTER(size -> "alter table " + "a".repeat(size) + " detach partition " + "b".repeat(size)),
    CONTINUED(repeated("E'a'\n")),
    CONTINUED_BY_COMMENTS(size -> "E'a'" + "--\n".repeat(size / 3) + "'"),
    PLACEHOLDERS_OPENED(repeated("${")),
    LONG_PLACEHOLDER(size -> "${" + "a".repeat(size)),
    LONG_PLACEHOLDER_ENDED(size -> "${" + "a".repeat(size) + "}"),
    ALMOST_PLACEHOLDERS(repeated("$ {")),
    ESCAPED_PLACEHOLDERS(repeated("${}a}")),
    DOTS(repeated("1.")),
    DIGITS(repeated("1")),
    UNDERSCORES(repeated("1_")),
    SEPARATORS(repeated("__")),
    DIRECTORIES(repeated("a/")),
    STARS(repeated("*")),
    STARS_APART(repeated("*a")),
    DOUBLE_STARS(repeated("**/")),
    SPACED_COLON(size -> "a" + " ".repeat(size) + "b"),
    EQUALS(repeated("==")),
    OR_AND(repeated("a==a&&b!=c||")),
    AT_SIGNS(repeated("@")),
    OPTIONS(repeated("?a=b&")),
    LOGINS(repeated("//")),
    PERCENTS(repeated("%")),
    PERCENT_CODES(repeated("%41")),
    CALLED(repeated("a(")),
    FLAGS(repeated("--a"));

    @SuppressWarnings("ImmutableEnumChecker") // without state, all of them
    private final IntFunction<String> text;

    NastyText(IntFunction<String> text) {
        this.text = text;
    }

    /** Returns a text of about this length. */
    public String of(int size) {
        return text.apply(size);
    }

    private static IntFunction<String> repeated(String piece) {
        return size -> piece.repeat(size / piece.length());
    }

    private static String numbered(int size, String before, String after) {
        int each = before.length() + after.length() + 5;
        return IntStream.range(0, size / each).mapToObj(i -> before + i + after).collect(Collectors.joining());
    }
}
