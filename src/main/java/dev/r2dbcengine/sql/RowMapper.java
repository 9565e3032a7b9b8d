package dev.r2dbcengine.sql;

import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Makes a value of a row. It is called on the driver's thread and must not block, nor keep the row.
 *
 * @param <T> what a row becomes
 */
@FunctionalInterface
public interface RowMapper<T> {

    /**
     * Maps a row. What it throws ends the statement's rows and reaches the subscriber as it is.
     *
     * @param row the row, valid during the call
     * @param metadata its columns
     * @return the value; null is no row for {@link Rows#one()} and {@link Rows#first()}, and an error for {@link
     *     Rows#all()}
     */
    @Nullable T map(Row row, RowMetadata metadata);

    /**
     * The mapper for one result, before its first row: what can be found out once for all rows.
     *
     * @param metadata the columns of the result
     * @return this, or a mapper that knows them
     */
    default RowMapper<T> forResult(RowMetadata metadata) {
        return this;
    }
}
