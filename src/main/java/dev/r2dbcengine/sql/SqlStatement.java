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
 * One SQL statement with named parameters. An immutable value: each method returns a new one, and threads may share it.
 * Cold: nothing is checked, parsed or sent before an ending is subscribed, and each subscription sends it once.
 *
 * <p>{@code :name} is a parameter; it may occur several times. A list expands to its values, as in {@code id in (:ids)}.
 * A colon that only looks like one is written {@code \:}. In quotes and comments, in casts ({@code ::}), assignments
 * ({@code :=}) and array slices ({@code [1:2]}) nothing is a parameter.
 *
 * <p>What the database says about a statement arrives as the driver's own exception. What is wrong with parameters, rows
 * or time is a {@link StatementException}.
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
     * @param name of the parameter, without its colon
     * @param value the value; for one that may be null use {@link #bind(String, Object, Class)}
     * @return a statement with that value
     * @throws ParameterException when the value is null
     */
    public SqlStatement bind(String name, Object value) {
        return with(new BoundValues(name, BoundValues.value(name, value, null, sql), values));
    }

    /**
     * Binds a value that may be null. A name that is bound twice, or that the text does not have, fails the execution
     * with a {@link ParameterException}.
     *
     * @param name of the parameter, without its colon
     * @param value the value or null
     * @param type the type of the value, for the database
     * @return a statement with that value
     */
    public SqlStatement bind(String name, @Nullable Object value, Class<?> type) {
        return with(new BoundValues(name, BoundValues.value(name, value, type, sql), values));
    }

    /**
     * Binds what a record or a map has for the parameters of this statement; the rest of it is left alone. A value that
     * is bound by name goes before it. In a map a null has no type: bind that one by name.
     *
     * @param source a record, by the names of its components, or a map, by its keys
     * @return a statement with those values
     * @throws IllegalArgumentException when it is neither
     */
    public SqlStatement bindAll(Object source) {
        return with(BoundValues.withAll(values, source));
    }

    /**
     * Asks the driver to fetch so many rows at a time, for {@link Rows#all()}.
     *
     * @param rows how many; zero, the default, leaves it to the driver, which may then read all rows at once
     *     (PostgreSQL's does)
     * @return a statement with that fetch size
     * @throws IllegalArgumentException when it is negative
     */
    public SqlStatement fetchSize(int rows) {
        if (rows < 0) {
            throw new IllegalArgumentException("A fetch size of " + rows + " is below zero");
        }
        return with(new StatementOptions(rows, options.timeout(), options.graceTime(), options.returning()));
    }

    /**
     * Limits the time of the statement on its connection, the reading of its rows included; waiting for a connection does
     * not count. When it is over, the statement is ended, and the subscriber gets a {@link StatementTimeoutException}: by
     * the database itself (H2, MariaDB), by a cancel request (PostgreSQL), elsewhere by closing the connection. The
     * database gets up to 5 seconds more to end it; then the connection is closed, which gets up to 5 seconds more.
     * Nothing of it stays on the connection.
     *
     * @param limit the limit; zero, the default, is none
     * @return a statement with that timeout
     * @throws IllegalArgumentException when it is negative
     */
    public SqlStatement timeout(Duration limit) {
        return with(new StatementOptions(
                options.fetchSize(), TimeSetting.checked(limit, "timeout"), options.graceTime(), options.returning()));
    }

    /**
     * How long the statement may go on after its subscriber has cancelled it. After that the database is asked to end it
     * (PostgreSQL by a cancel request, MariaDB by KILL QUERY), and when it cannot, or does not within another such time,
     * the connection is closed. Either way the connection is discarded. In a unit of work the unit's own grace time counts.
     *
     * @param time by default 5 seconds; zero ends it at once
     * @return a statement with that grace time
     * @throws IllegalArgumentException when it is negative
     */
    public SqlStatement graceTime(Duration time) {
        return with(new StatementOptions(
                options.fetchSize(), options.timeout(), TimeSetting.checked(time, "graceTime"), options.returning()));
    }

    /**
     * Makes columns that the statement writes its rows: the generated key of an insert. What can be returned is up to the
     * database: PostgreSQL returns any column of every row that was inserted, updated or deleted; H2 of inserted and updated
     * rows, MariaDB of inserted and deleted ones. Elsewhere it is an {@link UnsupportedOperationException}.
     *
     * @param columns their names, as in SQL: a name in double quotes is taken literally, on every database; none means all
     * @return a statement with such rows
     */
    public SqlStatement returning(String... columns) {
        return with(
                new StatementOptions(options.fetchSize(), options.timeout(), options.graceTime(), List.of(columns)));
    }

    /**
     * Runs the statement for what it changes.
     *
     * @return how many rows it changed
     */
    public Mono<Long> update() {
        return new StatementMono<>(this, CountReader.FACTORY);
    }

    /**
     * Maps each row to a type. A record gets each component from the column of its name, without regard to case and
     * underscores ({@code first_name} fits {@code firstName}); columns without a component are left alone, and a component
     * without a column is an error. NULL becomes null, an empty {@link java.util.Optional}, and for a primitive an error.
     * Any other type takes the only column of the row.
     *
     * @param type a record, or the type of one value
     * @param <T> the type
     * @return the rows; what does not fit is a {@link RowMappingException}
     */
    public <T> Rows<T> map(Class<T> type) {
        return new Rows<>(this, RecordMapper.of(type));
    }

    /**
     * Maps each row by a function.
     *
     * @param mapper maps one row
     * @param <T> what a row becomes
     * @return the rows
     */
    public <T> Rows<T> map(RowMapper<? extends T> mapper) {
        return new Rows<>(this, Objects.requireNonNull(mapper, "mapper"));
    }

    /**
     * Runs the statement once for each item, a thousand at a time. It is no transaction: outside a unit of work the items
     * before a failure stay.
     *
     * @param items what to run it for; iterated at each subscription
     * @param binder binds the values of one item, on top of those that are bound already
     * @param <T> the type of an item
     * @return how many rows were changed; 0 without items
     */
    public <T> Mono<Long> batch(Iterable<? extends T> items, BiConsumer<? super Bindings, ? super T> binder) {
        return batch(Flux.<T>fromIterable(items), binder);
    }

    /**
     * Runs the statement once for each item, a thousand at a time. No connection is held while items are awaited. It is no
     * transaction: outside a unit of work the items before a failure stay, and each thousand has a connection of its own.
     *
     * <p>When {@code items} fails, the statement is first run for every item that came before; then that failure is emitted.
     * A failure of the statement is emitted at once, and nothing is run for the items that wait.
     *
     * @param items what to run it for; cancelled when the statement fails. Nothing limits the time between two items
     * @param binder binds the values of one item, on top of those that are bound already
     * @param <T> the type of an item
     * @return how many rows were changed; 0 without items
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

    /** The text, without any value. */
    @Override
    public String toString() {
        return sql;
    }
}
