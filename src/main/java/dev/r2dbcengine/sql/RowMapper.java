package dev.r2dbcengine.sql;

import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Maps a row to a value. Called on the driver's thread: it must not block, and must not keep the row.
 *
 * @param <T> the type of a mapped row
 */
@FunctionalInterface
public interface RowMapper<T> {

    /**
     * Maps a row. An exception stops the mapping and is emitted unchanged to the subscriber, after the remaining rows
     * were discarded.
     *
     * @param row the row, valid during the call
     * @param metadata the columns of the row
     * @return the value; null means empty for {@link Rows#one()} and {@link Rows#first()}, and is an error for {@link
     *     Rows#all()}
     */
    @Nullable T map(Row row, RowMetadata metadata);

    /**
     * Returns the mapper for one result. Called before its first row, so that work common to all rows is done once.
     *
     * @param metadata the columns of the result
     * @return this mapper, or one specialized for the columns; default: this mapper
     */
    default RowMapper<T> forResult(RowMetadata metadata) {
        return this;
    }
}
