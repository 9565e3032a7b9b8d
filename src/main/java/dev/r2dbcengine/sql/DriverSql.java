package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Statement;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The text that a driver gets. Immutable. */
final class DriverSql {

    private final Dialect dialect;
    private final String text;
    private final int[] order;
    private final int marks;

    /* The order says which value each mark, or run of marks, stands for. */
    DriverSql(Dialect dialect, String text, int[] order, int marks) {
        this.dialect = dialect;
        this.text = text;
        this.order = order;
        this.marks = marks;
    }

    Dialect dialect() {
        return dialect;
    }

    String text() {
        return text;
    }

    int marks() {
        return marks;
    }

    void bind(Statement statement, @Nullable Object[] values) {
        int index = 0;
        for (int number : order) {
            Object value = values[number];
            if (value instanceof Collection<?> list) {
                for (Object element : list) {
                    statement.bind(index++, Values.forDriver(dialect, element));
                }
            } else if (value instanceof TypedNull none) {
                statement.bindNull(index++, Values.typeForDriver(dialect, none.type()));
            } else if (value != null) {
                statement.bind(index++, Values.forDriver(dialect, value));
            }
        }
    }
}
