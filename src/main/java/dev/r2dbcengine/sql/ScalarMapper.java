package dev.r2dbcengine.sql;

import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import org.jspecify.annotations.Nullable;

/** The one column of a row, as a type. */
record ScalarMapper<T>(Class<T> type) implements RowMapper<T> {

    @Override
    public @Nullable T map(Row row, RowMetadata metadata) {
        return forResult(metadata).map(row, metadata);
    }

    @Override
    public RowMapper<T> forResult(RowMetadata metadata) {
        int columns = metadata.getColumnMetadatas().size();
        if (columns != 1) {
            throw new Mismatch(
                    "A row has " + columns + " columns, and " + type.getName() + " takes one: "
                            + RecordMapper.columnNames(metadata),
                    null);
        }
        Column column = Column.of(metadata, 0, type, "a value");
        return (row, ignored) -> type.cast(column.read(row));
    }
}
