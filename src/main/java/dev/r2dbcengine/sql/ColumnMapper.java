package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A mapper of the library: it reads columns as the dialect says. */
interface ColumnMapper<T> extends RowMapper<T> {

    RowMapper<T> forResult(RowMetadata metadata, Dialect dialect);

    @Override
    default RowMapper<T> forResult(RowMetadata metadata) {
        return forResult(metadata, Dialect.ANSI);
    }

    @Override
    default @Nullable T map(Row row, RowMetadata metadata) {
        return forResult(metadata).map(row, metadata);
    }

    /* A mapper of the application gets rows that read moments as the dialect says, where the driver does not. */
    static <T> RowMapper<T> forResult(RowMapper<T> mapper, RowMetadata metadata, Dialect dialect) {
        if (mapper instanceof ColumnMapper<T> ours) {
            return ours.forResult(metadata, dialect);
        }
        RowMapper<T> known = mapper.forResult(metadata);
        return dialect.decode(Instant.class) != Instant.class
                ? (row, columns) -> known.map(new DecodedRow(row, dialect), columns)
                : known;
    }
}
