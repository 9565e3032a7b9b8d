package dev.r2dbcengine.sql;

import dev.r2dbcengine.internal.text.TimeSetting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An SQL statement with named parameters. Immutable and safe for use by several threads: each method returns a new
 * statement. Nothing is parsed, checked or sent before the publisher of {@link #update}, {@code batch} or {@link Rows}
 * is subscribed; each subscription executes the statement once.
 *
 * <p>{@code :name} is a parameter; it may occur several times. A list expands to its values, as in {@code id in
 * (:ids)}. A colon that does not begin a parameter is written {@code \:}. In quotes and comments, in casts ({@code
 * ::}), assignments ({@code :=}) and array slices ({@code [1:2]}) nothing is a parameter.
 *
 * <p>Errors of the database are emitted as the driver's own exceptions. Errors of parameters, row mapping and timeouts
 * are a {@link StatementException}.
 */
public final class SqlStatement {

    private final SqlRunner runner;
    private final ConnectionSource source;
    private final String sql;
    private final @Nullable BoundValues values;
    private final StatementOptions options;

    SqlStatement(
            SqlRunner runner,
            ConnectionSource source,
            String sql,
            @Nullable BoundValues values,
            StatementOptions options) {
        this.runner = runner;
        this.source = source;
        this.sql = sql;
        this.values = values;
        this.options = options;
    }

    /**
     * Binds a value. An enum is bound by its name, a {@link java.util.Collection} as a list of values, an array as one
     * array. A name that is bound twice, or that the text does not have, fails the execution with a {@link
     * ParameterException}.
     *
     * @param name the name of the parameter, without its colon
     * @param value the value, not null; for a nullable value use {@link #bind(String, Object, Class)}
     * @return a statement with the value
     * @throws ParameterException when the value is null
     */
    public SqlStatement bind(String name, Object value) {
        return with(new BoundValues(name, BoundValues.value(name, value, null, sql), values));
    }

    /**
     * Binds a value that may be null. A name that is bound twice, or that the text does not have, fails the execution
     * with a {@link ParameterException}.
     *
     * @param name the name of the parameter, without its colon
     * @param value the value or null
     * @param type the type of the value, for the database
     * @return a statement with the value
     */
    public SqlStatement bind(String name, @Nullable Object value, Class<?> type) {
        return with(new BoundValues(name, BoundValues.value(name, value, type, sql), values));
    }

    /**
     * Binds the components of a record, or the entries of a map, whose names are parameters of this statement; the
     * others are ignored. A value that is bound by name takes precedence. A null in a map has no type: bind it by name.
     *
     * @param source a record, by the names of its components, or a map, by its keys
     * @return a statement with the values
     * @throws IllegalArgumentException when it is neither a record nor a map
     */
    public SqlStatement bindAll(Object source) {
        return with(BoundValues.withAll(values, source));
    }

    /**
     * Sets how many rows the driver fetches at a time for {@link Rows#all()}.
     *
     * @param rows the number of rows; default: zero, which leaves it to the driver; PostgreSQL's driver then reads all
     *     rows at once
     * @return a statement with that fetch size
     * @throws IllegalArgumentException when it is negative
     */
    public SqlStatement fetchSize(int rows) {
        if (rows < 0) {
            throw new IllegalArgumentException("A fetch size of " + rows + " is below zero");
        }
        return with(options.withFetchSize(rows));
    }

    /**
     * Limits the time of the statement on its connection, the reading of its rows included; waiting for a connection
     * does not count. When the limit is exceeded, the statement is cancelled by the database itself (H2, MariaDB), by a
     * cancel request (PostgreSQL), or elsewhere by closing the connection, and the subscriber gets a {@link
     * StatementTimeoutException}. The database gets up to 5 seconds to cancel it; then the connection is closed, which
     * gets up to another 5 seconds. The limit does not remain set on the connection.
     *
     * @param limit the limit; default: zero, which means no limit
     * @return a statement with that timeout
     * @throws IllegalArgumentException when it is negative
     */
    public SqlStatement timeout(Duration limit) {
        return with(options.withTimeout(TimeSetting.checked(limit, "timeout")));
    }

    /**
     * Sets how long the statement may run after its subscriber has cancelled. After that the database is asked to
     * cancel it (PostgreSQL by a cancel request, MariaDB by KILL QUERY); if it cannot, or does not within a second
     * grace time, the connection is closed. The connection is discarded in both cases. In a unit of work the grace time
     * of the unit applies.
     *
     * @param time the grace time; default: 5 seconds; zero cancels the statement at once
     * @return a statement with that grace time
     * @throws IllegalArgumentException when it is negative
     */
    public SqlStatement graceTime(Duration time) {
        return with(options.withGraceTime(TimeSetting.checked(time, "graceTime")));
    }

    /**
     * Returns columns of the written rows as the rows of the statement, such as the generated key of an insert. Support
     * depends on the database: PostgreSQL returns any column of every row that was inserted, updated or deleted; H2 of
     * inserted and updated rows, MariaDB of inserted and deleted ones. Unsupported statements fail with an {@link
     * UnsupportedOperationException}.
     *
     * @param columns the column names, as in SQL: a name in double quotes is taken literally, on every database; no
     *     name means all columns
     * @return a statement that returns those columns
     */
    public SqlStatement returning(String... columns) {
        return with(options.withReturning(List.of(columns)));
    }

    /**
     * Sets how {@code batch} sends its items; see {@link BatchMode}.
     *
     * @param mode the mode; default: {@link BatchMode#AUTOMATIC}
     * @return a statement with that mode
     */
    public SqlStatement batchMode(BatchMode mode) {
        return with(options.withBatchMode(Objects.requireNonNull(mode, "mode")));
    }

    /**
     * Executes the statement and counts the rows that it changes.
     *
     * @return the number of changed rows
     */
    public Mono<Long> update() {
        return new StatementMono<>(this, CountReader.FACTORY);
    }

    /**
     * Maps each row to a type. Each component of a record is read from the column of the same name, ignoring case and
     * underscores ({@code first_name} matches {@code firstName}). Columns without a component are ignored; a component
     * without a column is an error. NULL becomes null or an empty {@link java.util.Optional}, and is an error for a
     * primitive. Any other type is read from the only column of the row.
     *
     * @param type a record, or the type of one value
     * @param <T> the type
     * @return the rows; a row that cannot be mapped is a {@link RowMappingException}
     */
    public <T> Rows<T> map(Class<T> type) {
        return new Rows<>(this, RecordMapper.of(type));
    }

    /**
     * Maps each row with a function.
     *
     * @param mapper maps one row
     * @param <T> the type of a mapped row
     * @return the rows
     */
    public <T> Rows<T> map(RowMapper<? extends T> mapper) {
        return new Rows<>(this, Objects.requireNonNull(mapper, "mapper"));
    }

    /**
     * Executes the statement for each item, in batches of 1,000; as {@link #batch(Publisher, BiConsumer)}.
     *
     * @param items the items; iterated at each subscription
     * @param binder binds the values of one item, in addition to those already bound
     * @param <T> the type of an item
     * @return the number of changed rows; 0 without items
     */
    public <T> Mono<Long> batch(Iterable<? extends T> items, BiConsumer<? super Bindings, ? super T> binder) {
        return batch(Flux.<T>fromIterable(items), binder);
    }

    /**
     * Executes the statement for each item, in batches of 1,000. An {@code insert … values (…)} is sent as inserts of up
     * to 500 rows where that has the same effect, see {@link BatchMode}. No connection is held while items are awaited.
     * This is not a transaction: outside a unit of work the items before a failure stay applied, and each batch
     * acquires its own connection. If a row of an insert fails, none of its rows is stored. The positions of the items
     * that failed together are a {@link FailedItemsException}, suppressed in the error of the database.
     *
     * <p>When {@code items} fails, the statement is first executed for every item emitted before; then the error of
     * {@code items} is emitted. An error of the statement is emitted at once, and pending items are not executed.
     *
     * @param items the items; cancelled when the statement fails. The time between two items is not limited
     * @param binder binds the values of one item, in addition to those already bound
     * @param <T> the type of an item
     * @return the number of changed rows; 0 without items
     */
    public <T> Mono<Long> batch(Publisher<? extends T> items, BiConsumer<? super Bindings, ? super T> binder) {
        Objects.requireNonNull(items, "items");
        Objects.requireNonNull(binder, "binder");
        return Mono.deferContextual(context -> runner.batch(this, items, binder, context));
    }

    String sql() {
        return sql;
    }

    @Nullable BoundValues values() {
        return values;
    }

    StatementOptions options() {
        return options;
    }

    SqlRunner runner() {
        return runner;
    }

    ConnectionSource source() {
        return source;
    }

    private SqlStatement with(BoundValues more) {
        return new SqlStatement(runner, source, sql, more, options);
    }

    private SqlStatement with(StatementOptions others) {
        return new SqlStatement(runner, source, sql, values, others);
    }

    /** Returns the text of the statement, without values. */
    @Override
    public String toString() {
        return sql;
    }
}
