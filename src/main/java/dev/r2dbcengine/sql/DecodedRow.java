package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.ColumnMetadata;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A driver's row that converts the types which the dialect decodes itself. */
record DecodedRow(Row row, Dialect dialect) implements Row {

    @Override
    public RowMetadata getMetadata() {
        return row.getMetadata();
    }

    @Override
    public <T> @Nullable T get(int index, Class<T> type) {
        return isDecoded(type)
                ? type.cast(ColumnReader.of(getMetadata(), index, type, "a value", dialect)
                        .read(row))
                : row.get(index, type);
    }

    @Override
    public <T> @Nullable T get(String name, Class<T> type) {
        int index = isDecoded(type) ? indexOf(name) : -1;
        return index < 0 ? row.get(name, type) : get(index, type);
    }

    private boolean isDecoded(Class<?> type) {
        return dialect.decode(type) != type;
    }

    /* The SPI's rule: the first column with the name, ignoring case. */
    private int indexOf(String name) {
        List<? extends ColumnMetadata> columns = getMetadata().getColumnMetadatas();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).getName().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }
}
