package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.RowMetadata;

/** Maps the only column of a row to a type. */
record ScalarMapper<T>(Class<T> type) implements ColumnMapper<T> {

    @Override
    public RowMapper<T> forResult(RowMetadata metadata, Dialect dialect) {
        int columns = metadata.getColumnMetadatas().size();
        if (columns != 1) {
            throw new RowMismatch(
                    "A row has " + columns + " columns, " + RecordMapper.columnNames(metadata) + ", and "
                            + type.getName() + " is not a record, so it takes one: " + ColumnReader.NO_RECORD,
                    null);
        }
        ColumnReader column = ColumnReader.of(metadata, 0, type, "a value", dialect);
        return (row, ignored) -> type.cast(column.read(row));
    }
}
