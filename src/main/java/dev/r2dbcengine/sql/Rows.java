package dev.r2dbcengine.sql;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The rows of a statement, mapped. An immutable value; each ending is cold and runs the statement at each subscription.
 *
 * @param <T> what a row becomes
 */
public final class Rows<T> {

    private final SqlStatement statement;
    private final RowMapper<? extends T> mapper;

    Rows(SqlStatement statement, RowMapper<? extends T> mapper) {
        this.statement = statement;
        this.mapper = mapper;
    }

    /**
     * The only row. The rest of the rows is read, and the connection given back, before it is emitted. A cancel does not
     * reach the database: the statement runs to its end, unseen.
     *
     * @return the row; empty when there is none, or when a scalar is NULL; {@link TooManyRowsException} when there is a
     *     second one
     */
    public Mono<T> one() {
        return new StatementMono<>(statement, new RowReader.Wanted<>(mapper, RowReader.Mode.ONE));
    }

    /**
     * The first row; what follows is read and dropped, so that a {@code limit} in the statement saves time. As {@link
     * #one()} otherwise.
     *
     * @return the row; empty when there is none, or when a scalar is NULL
     */
    public Mono<T> first() {
        return new StatementMono<>(statement, new RowReader.Wanted<>(mapper, RowReader.Mode.FIRST));
    }

    /**
     * All rows, as they are asked for. The driver reads ahead no more than {@link SqlStatement#fetchSize(int)}, where the
     * database has backpressure ({@link dev.r2dbcengine.dialect.Feature#BACKPRESSURE}). MariaDB's driver has none: there
     * all rows are asked for at once, and those that the subscriber has not yet asked for wait in memory.
     *
     * <p>On cancel the rest is read and dropped, then the connection is given back; the subscriber does not wait for it.
     *
     * @return the rows; a NULL scalar is a {@link RowMappingException}, as a stream cannot carry it
     */
    public Flux<T> all() {
        ResultReader.Factory<T> reader = new RowReader.Wanted<>(mapper, RowReader.Mode.ALL);
        return Flux.deferContextual(context -> statement.runner().all(statement, reader, context));
    }
}
