package dev.r2dbcengine.sql;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The mapped rows of a statement. Immutable; each returned publisher is cold and executes the statement at each
 * subscription.
 *
 * @param <T> the type of a mapped row
 */
public final class Rows<T> {

    private final SqlStatement statement;
    private final RowMapper<? extends T> mapper;

    Rows(SqlStatement statement, RowMapper<? extends T> mapper) {
        this.statement = statement;
        this.mapper = mapper;
    }

    /**
     * Returns the only row. It is emitted after all rows are read and the connection is released. A cancel does not
     * reach the database within the grace time: the statement runs to completion and its rows are discarded.
     *
     * @return the row; empty if there is none or if a scalar is NULL; fails with {@link TooManyRowsException} if there
     *     is a second row
     */
    public Mono<T> one() {
        return new StatementMono<>(statement, new RowReader.Wanted<>(mapper, RowReader.Mode.ONE));
    }

    /**
     * Returns the first row. Further rows are read and discarded, so a {@code limit} in the statement saves time.
     * Otherwise it works like {@link #one()}.
     *
     * @return the row; empty if there is none or if a scalar is NULL
     */
    public Mono<T> first() {
        return new StatementMono<>(statement, new RowReader.Wanted<>(mapper, RowReader.Mode.FIRST));
    }

    /**
     * Returns all rows, emitted on demand. With a driver that supports backpressure ({@link
     * dev.r2dbcengine.dialect.Feature#BACKPRESSURE}) at most {@link SqlStatement#fetchSize(int)} rows are read ahead.
     * MariaDB's driver does not support it: all rows are requested at once, and those without demand are buffered in
     * memory.
     *
     * <p>On cancel the remaining rows are read and discarded in the background, then the connection is released.
     *
     * @return the rows; a NULL scalar is a {@link RowMappingException}, since a stream cannot emit null
     */
    public Flux<T> all() {
        ResultReader.Factory<T> reader = new RowReader.Wanted<>(mapper, RowReader.Mode.ALL);
        return Flux.deferContextual(context -> statement.runner().all(statement, reader, context));
    }
}
