package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.dialect.SqlLexer;
import dev.r2dbcengine.dialect.SqlToken;
import dev.r2dbcengine.dialect.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The text of a statement, split at its parameters. Immutable. */
final class ParsedSql {

    private final String sql;
    private final Dialect dialect;
    private final List<String> names;
    private final Map<String, Integer> numbers;
    private final List<String> texts;
    private final int[] places;
    private final String firstWord;
    private final DriverSql plain;
    private final DriverSql plainReturning;
    private final int codeEnd;
    private final @Nullable MultiRowInsert multiRow;

    ParsedSql(Dialect dialect, String sql) {
        Reading reading = new Reading(dialect, sql);
        if (reading.exchangesData && dialect.has(Syntax.COPY_DATA)) {
            throw new UnsupportedOperationException(
                    "COPY from STDIN or to STDOUT exchanges data with the client, which a"
                            + " statement cannot do: write rows by batch(…) and read them by a select, or use what the driver has"
                            + " for it on a connection of openConnection(), such as PostgresqlConnection.copyIn(…): ["
                            + sql + "]");
        }
        this.sql = sql;
        this.dialect = dialect;
        this.names = List.copyOf(reading.numbers.keySet());
        this.numbers = Map.copyOf(reading.numbers);
        this.texts = List.copyOf(reading.texts);
        this.places = reading.places.stream().mapToInt(Integer::intValue).toArray();
        this.firstWord = reading.firstWord.toUpperCase(Locale.ROOT);
        this.codeEnd = reading.codeEnd;
        this.plain = write(null, false);
        this.plainReturning = write(null, true);
        InsertTuple tuple = reading.tuple.found(places.length);
        this.multiRow = tuple == null ? null : new MultiRowInsert(this, tuple, plain);
    }

    String sql() {
        return sql;
    }

    Dialect dialect() {
        return dialect;
    }

    List<String> names() {
        return names;
    }

    int numberOf(String name) {
        return numbers.getOrDefault(name, -1);
    }

    /* Returns the driver's text, with one marker for each value of a list. */
    DriverSql driverSql(@Nullable Object[] values, @Nullable List<String> columns) {
        if (columns != null) {
            checkReturning(columns.size());
        }
        for (Object value : values) {
            if (value instanceof ArrayList<?>) {
                return checked(write(values, columns != null));
            }
        }
        return checked(columns == null ? plain : plainReturning);
    }

    /* Checked here, since some drivers ignore the request or send a statement that fails. */
    private void checkReturning(int columns) {
        boolean can = switch (firstWord) {
            case "UPDATE" -> dialect.has(Feature.UPDATE_RETURNING);
            case "DELETE" -> dialect.has(Feature.DELETE_RETURNING);
            default -> true;
        };
        if (!can) {
            throw new UnsupportedOperationException(dialect + " does not return columns of "
                    + firstWord.toLowerCase(Locale.ROOT) + ": select them before [" + sql + "]");
        }
        if (columns != 1 && dialect.has(Feature.RETURNS_KEY_ONLY)) {
            throw new UnsupportedOperationException(
                    dialect + " returns only the key that an insert has generated: name its"
                            + " column alone in returning(…), and select the others [" + sql + "]");
        }
    }

    private DriverSql checked(DriverSql driverSql) {
        if (driverSql.marks() > dialect.maxParameters()) {
            String array = dialect.advice(List.class);
            throw new ParameterException(
                    "The statement binds " + driverSql.marks() + " values, and " + dialect + " takes "
                            + dialect.maxParameters() + ": "
                            + (array.isEmpty() ? "split the list" : array) + ", or use batch(…)",
                    names,
                    sql);
        }
        return driverSql;
    }

    /* Null if the statement is no insert whose parameters are all in its only tuple. */
    @Nullable MultiRowInsert multiRow() {
        return multiRow;
    }

    /* Returns the text with several tuples. */
    DriverSql rows(InsertTuple tuple, int rows) {
        String first = texts.get(0);
        String last = texts.get(places.length);
        StringBuilder out = new StringBuilder(sql.length() * rows).append(first, 0, tuple.start());
        int perRow = dialect.numbersMarkers() ? names.size() : places.length;
        for (int row = 0; row < rows; row++) {
            out.append(row == 0 ? "" : ", ").append(first, tuple.start(), first.length());
            for (int i = 0; i < places.length; i++) {
                int number = dialect.numbersMarkers() ? places[i] : i;
                marks(out, row * perRow + number + 1, 1);
                separate(out, i + 1);
                String text = texts.get(i + 1);
                out.append(text, 0, i + 1 == places.length ? tuple.end() : text.length());
            }
        }
        out.append(last, tuple.end(), last.length());
        return new DriverSql(this, out.toString(), plain.order(), perRow * rows);
    }

    private DriverSql write(@Nullable Object @Nullable [] values, boolean returning) {
        StringBuilder out = new StringBuilder(sql.length() + 4 * places.length);
        int[] first = new int[names.size()];
        int marks = 0;
        for (int i = 0; i < places.length; i++) {
            out.append(texts.get(i));
            int size = values != null && values[places[i]] instanceof ArrayList<?> list ? list.size() : 1;
            boolean known = dialect.numbersMarkers() && first[places[i]] > 0;
            int from = known ? first[places[i]] : marks + 1;
            first[places[i]] = from;
            marks += known ? 0 : size;
            marks(out, from, size);
            separate(out, i + 1);
        }
        String last = texts.get(places.length);
        out.append(last, 0, returning ? Math.min(codeEnd, last.length()) : last.length());
        return new DriverSql(this, out.toString(), dialect.numbersMarkers() ? order(first) : places, marks);
    }

    /* A "$" or a lone surrogate ends a parameter name but not a marker. */
    private void separate(StringBuilder out, int next) {
        String text = texts.get(next);
        out.append(!text.isEmpty() && isWord(text.charAt(0)) ? " " : "");
    }

    private void marks(StringBuilder out, int from, int size) {
        for (int i = 0; i < size; i++) {
            String mark = dialect.marker(from + i);
            if (i > 0) {
                out.append(", ");
            } else if (!out.isEmpty() && isWord(out.charAt(out.length() - 1))) {
                out.append(' ');
            }
            out.append(mark);
        }
    }

    /* Databases and drivers may read every non-ASCII character as part of a word, as the lexer does. */
    private static boolean isWord(char c) {
        return c > 127 || Character.isJavaIdentifierPart(c);
    }

    /* Markers are numbered by first occurrence, which is the order of the names. */
    private static int[] order(int[] first) {
        int[] order = new int[first.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        return order;
    }

    /** A single pass over the text. */
    private static final class Reading {

        private final Map<String, Integer> numbers = new LinkedHashMap<>();
        private final List<String> texts = new ArrayList<>();
        private final List<Integer> places = new ArrayList<>();
        private String firstWord = "";
        private boolean copy;
        private boolean afterFrom;
        private boolean afterTo;
        private int depth;
        private boolean exchangesData;
        private int codeEnd;
        private final InsertTupleFinder tuple = new InsertTupleFinder();

        Reading(Dialect dialect, String sql) {
            SqlLexer lexer = dialect.lexer(sql);
            StringBuilder text = new StringBuilder(sql.length());
            for (SqlToken token = lexer.next(); token != SqlToken.END; token = lexer.next()) {
                switch (token) {
                    case PARAMETER -> parameter(lexer, text);
                    case MARKER -> throw marker(lexer, sql);
                    default -> lexer.appendForDriver(text);
                }
                note(lexer, token, text.length());
                tuple.token(lexer, token, text.length());
            }
            texts.add(text.toString());
        }

        private void parameter(SqlLexer lexer, StringBuilder text) {
            texts.add(text.toString());
            text.setLength(0);
            places.add(numbers.computeIfAbsent(lexer.text(), name -> numbers.size()));
        }

        private void note(SqlLexer lexer, SqlToken token, int length) {
            switch (token) {
                case SPACE, COMMENT, SEMICOLON -> {}
                default -> codeEnd = length;
            }
            switch (token) {
                case OPEN -> depth++;
                case CLOSE -> depth--;
                case WORD -> word(lexer);
                default -> {}
            }
        }

        /* Allocates a string for the first word alone. */
        private void word(SqlLexer lexer) {
            if (firstWord.isEmpty()) {
                firstWord = lexer.text();
                copy = lexer.is("COPY");
            }
            if (copy) {
                exchangesData |= depth == 0 && ((afterFrom && lexer.is("STDIN")) || (afterTo && lexer.is("STDOUT")));
                afterFrom = lexer.is("FROM");
                afterTo = lexer.is("TO");
            }
        }

        private static ParameterException marker(SqlLexer lexer, String sql) {
            return new ParameterException(
                    "A parameter in line " + lexer.line() + ", column " + lexer.column()
                            + " has no name: write :name, and bind it by that",
                    List.of(),
                    sql);
        }
    }
}
