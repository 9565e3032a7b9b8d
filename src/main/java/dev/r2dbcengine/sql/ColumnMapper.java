package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A built-in mapper, which reads columns by the rules of the dialect. */
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

    /* An application's mapper gets rows that read the dialect's decoded types by its rules. */
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
