package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The text in the driver's form, and the binding of its parameters. Immutable. */
final class DriverSql {

    private final ParsedSql parsed;
    private final String text;
    private final int[] order;
    private final int marks;

    /* The order holds the index of the value for each marker, or for each run of markers of a list. */
    DriverSql(ParsedSql parsed, String text, int[] order, int marks) {
        this.parsed = parsed;
        this.text = text;
        this.order = order;
        this.marks = marks;
    }

    Dialect dialect() {
        return parsed.dialect();
    }

    String text() {
        return text;
    }

    int marks() {
        return marks;
    }

    int[] order() {
        return order;
    }

    void bind(Statement statement, @Nullable Object[] values) {
        bindRow(statement, values, 0);
    }

    /* Binds one of the rows of an insert. */
    void bindRow(Statement statement, @Nullable Object[] values, int row) {
        int index = row * order.length;
        for (int number : order) {
            Object value = values[number];
            if (value instanceof ArrayList<?> list) {
                for (Object element : list) {
                    bind(statement, index++, element, number);
                }
            } else if (value != null) {
                bind(statement, index++, value, number);
            }
        }
    }

    private void bind(Statement statement, int index, Object value, int number) {
        try {
            if (value instanceof TypedNull none) {
                statement.bindNull(index, BoundValues.typeForDriver(dialect(), none.type()));
            } else {
                statement.bind(index, BoundValues.forDriver(dialect(), value));
            }
        } catch (IllegalArgumentException | ClassCastException | UnsupportedOperationException e) {
            throw refused(parsed.names().get(number), value);
        }
    }

    /* Without the driver's message, which may contain the value. */
    private ParameterException refused(String name, Object value) {
        Class<?> type = value instanceof TypedNull none ? none.type() : value.getClass();
        return new ParameterException(
                "Parameter '" + name + "' is of type " + type.getTypeName() + ", which the driver does not know: "
                        + advice(type),
                List.of(name),
                parsed.sql());
    }

    private String advice(Class<?> type) {
        String known = dialect().advice(type);
        if (!known.isEmpty()) {
            return known;
        }
        return type.isArray()
                ? "bind an array of a type that it knows, or a list of values; " + BoundValues.ROWS
                : "bind a type that it knows, such as its text or its parts, and cast it in the statement where needed";
    }
}
