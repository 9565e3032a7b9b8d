package dev.r2dbcengine.testing;

import io.r2dbc.spi.ColumnMetadata;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import io.r2dbc.spi.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A row of the {@link FakeDriver}: {@code FakeRow.of("id", 1, "name", "Ada")}. Names are case-insensitive. */
public final class FakeRow implements Row, RowMetadata {
    private final List<Column> columns;

    private FakeRow(List<Column> columns) {
        this.columns = columns;
    }

    /** Creates a row of alternating names and values; a value may be null. */
    public static FakeRow of(@Nullable Object... namesAndValues) {
        List<Column> columns = new ArrayList<>(namesAndValues.length / 2);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            columns.add(new Column(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]));
        }
        return new FakeRow(columns);
    }

    @Override
    public RowMetadata getMetadata() {
        return this;
    }

    @Override
    public <T> @Nullable T get(int index, Class<T> type) {
        return getColumnMetadata(index).as(type);
    }

    @Override
    public <T> @Nullable T get(String name, Class<T> type) {
        return getColumnMetadata(name).as(type);
    }

    @Override
    public Column getColumnMetadata(int index) {
        return columns.get(index);
    }

    @Override
    public Column getColumnMetadata(String name) {
        for (Column column : columns) {
            if (column.name.equalsIgnoreCase(name)) {
                return column;
            }
        }
        throw new NoSuchElementException("No column " + name + " in " + columns);
    }

    @Override
    public List<Column> getColumnMetadatas() {
        return List.copyOf(columns);
    }

    @Override
    public boolean contains(String name) {
        return columns.stream().anyMatch(column -> column.name.equalsIgnoreCase(name));
    }

    /** A column with its value. */
    record Column(String name, @Nullable Object value) implements ColumnMetadata {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public Type getType() {
            return new JavaType(getJavaType());
        }

        @Override
        public Class<?> getJavaType() {
            return value == null ? Object.class : value.getClass();
        }

        <T> @Nullable T as(Class<T> type) {
            Object stored = value;
            if (stored instanceof Number number && type == Long.class) {
                stored = number.longValue();
            } else if (stored instanceof Number number && type == Integer.class) {
                stored = number.intValue();
            }
            if (stored != null && !type.isInstance(stored)) {
                throw new IllegalArgumentException("Column " + name + " is no " + type.getName() + ": " + stored);
            }
            return type.cast(stored);
        }
    }

    private record JavaType(Class<?> type) implements Type {
        @Override
        public Class<?> getJavaType() {
            return type;
        }

        @Override
        public String getName() {
            return type.getSimpleName();
        }
    }
}
