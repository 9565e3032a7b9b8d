package dev.r2dbcengine.sql;

import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row as a record: each component from the column of its name. */
record RecordMapper<T>(Class<T> type, RecordShape shape) implements RowMapper<T> {

    static <T> RowMapper<T> of(Class<T> type) {
        return type.isRecord() ? new RecordMapper<>(type, RecordShape.of(type)) : new ScalarMapper<>(Types.boxed(type));
    }

    static List<String> columnNames(RowMetadata metadata) {
        return metadata.getColumnMetadatas().stream()
                .map(column -> column.getName())
                .toList();
    }

    @Override
    public @Nullable T map(Row row, RowMetadata metadata) {
        return forResult(metadata).map(row, metadata);
    }

    @Override
    public RowMapper<T> forResult(RowMetadata metadata) {
        Column[] columns = columns(metadata);
        @Nullable Object[] values = new @Nullable Object[columns.length];
        return (row, ignored) -> row(columns, values, row);
    }

    /* The rows of one result come one after the other, so they can share the array. */
    private T row(Column[] columns, @Nullable Object[] values, Row row) {
        for (int i = 0; i < columns.length; i++) {
            values[i] = component(i, columns[i], row);
        }
        return type.cast(shape.create(values));
    }

    private @Nullable Object component(int index, Column column, Row row) {
        Object value = column.read(row);
        if (shape.isOptional(index)) {
            return Optional.ofNullable(value);
        }
        if (value == null && shape.isPrimitive(index)) {
            throw column.isNull();
        }
        return value;
    }

    private Column[] columns(RowMetadata metadata) {
        List<String> names = columnNames(metadata);
        Column[] columns = new Column[shape.names().size()];
        for (int i = 0; i < columns.length; i++) {
            String component = shape.names().get(i);
            columns[i] = Column.of(
                    metadata,
                    indexOf(component, names),
                    shape.type(i),
                    "component '" + component + "' of " + type.getName());
        }
        return columns;
    }

    private int indexOf(String component, List<String> names) {
        int found = -1;
        for (int i = 0; i < names.size(); i++) {
            if (Column.normalized(component).equals(Column.normalized(names.get(i)))) {
                if (found >= 0) {
                    throw new Mismatch(
                            "Columns " + (found + 1) + " and " + (i + 1) + " both fit component '" + component + "' of "
                                    + type.getName() + ": give one of them another name",
                            null);
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new Mismatch(
                    "No column fits component '" + component + "' of " + type.getName() + ": there are " + names, null);
        }
        return found;
    }
}
