package dev.r2dbcengine.migrate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * All that is in a database, as lines: what {@code information_schema} and the like say of it, and the rows of its tables.
 *
 * @param connection to the database
 * @param queries what to ask, by a name
 * @param untold columns that no two databases have in common, in lower case
 * @param named takes names out that no two databases have in common
 */
record DatabasePicture(
        Connection connection, Map<String, String> queries, Set<String> untold, UnaryOperator<String> named) {

    /** The query that lists the tables: schema, and name. */
    static final String TABLES = "tables with rows";

    Map<String, List<String>> take() throws SQLException {
        Map<String, List<String>> picture = new TreeMap<>();
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> query : queries.entrySet()) {
                picture.put(query.getKey(), lines(statement, query.getValue()));
            }
            for (String table : tables(statement)) {
                picture.put(named.apply("rows of " + table), lines(statement, "select * from " + table));
            }
        }
        return picture;
    }

    private List<String> tables(Statement statement) throws SQLException {
        String quote = connection.getMetaData().getIdentifierQuoteString();
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(queries.get(TABLES))) {
            while (rows.next()) {
                tables.add(quote + rows.getString(1) + quote + "." + quote
                        + rows.getString(2).replace(quote, quote + quote) + quote);
            }
        }
        return tables;
    }

    private List<String> lines(Statement statement, String query) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                lines.add(named.apply(line(rows)));
            }
        }
        Collections.sort(lines);
        return lines;
    }

    private String line(ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        StringBuilder line = new StringBuilder();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            String column = columns.getColumnLabel(i).toLowerCase(Locale.ROOT);
            if (!untold.contains(column)) {
                line.append(column).append('=').append(value(row, i)).append(' ');
            }
        }
        return line.toString();
    }

    private static String value(ResultSet row, int column) throws SQLException {
        return row.getObject(column) instanceof byte[] bytes
                ? HexFormat.of().formatHex(bytes)
                : String.valueOf(row.getString(column));
    }
}
