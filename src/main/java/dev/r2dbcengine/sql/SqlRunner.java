package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.text.BoundedCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Creates and runs the statements of one database: holds their dialect and listener, and works with any {@link
 * ConnectionSource}. Immutable and safe for use by several threads. Nothing runs before a statement is subscribed.
 */
public final class SqlRunner {

    static final int CHUNK = 1000;

    private static final BoundedCache<Dialect, BoundedCache<String, ParsedSql>> PARSED = new BoundedCache<>(16);

    private final @Nullable Dialect known;
    private final Mono<Dialect> later;
    private final SqlListener listener;

    private SqlRunner(@Nullable Dialect known, Mono<Dialect> later, SqlListener listener) {
        this.known = known;
        this.later = later;
        this.listener = listener;
    }

    /**
     * Creates a runner for a dialect.
     *
     * @param dialect the dialect of the database
     * @param listener receives the events of the statements
     * @return the runner
     */
    public static SqlRunner of(Dialect dialect, SqlListener listener) {
        return new SqlRunner(dialect, Mono.empty(), listener);
    }

    /**
     * Creates a runner whose dialect is determined at each execution.
     *
     * @param dialect the dialect of the database; subscribed at each execution, before a connection is acquired
     * @param listener receives the events of the statements
     * @return the runner
     */
    public static SqlRunner of(Mono<Dialect> dialect, SqlListener listener) {
        return new SqlRunner(null, dialect, listener);
    }

    /**
     * Creates a statement that runs on connections of a source.
     *
     * @param source provides the connections
     * @param sql the text of the statement
     * @return the statement, without values
     */
    public SqlStatement statement(ConnectionSource source, String sql) {
        return new SqlStatement(this, source, Objects.requireNonNull(sql, "sql"), null, StatementOptions.NONE);
    }

    SqlListener listener() {
        return listener;
    }

    <T> Mono<T> one(SqlStatement statement, ResultReader.Factory<T> reader, ContextView context) {
        Dialect now = known;
        return now == null
                ? later.flatMap(found -> one(statement, execution(statement, found, reader, context)))
                : one(statement, execution(statement, now, reader, context));
    }

    /* Listens downstream of the source, which does not pass a cancel upstream. */
    private <T> Mono<T> one(SqlStatement statement, Execution<T> execution) {
        Mono<T> result = statement.source().one(execution);
        return listener == SqlListener.NONE ? result : result.doOnCancel(execution::cancelled);
    }

    <T> Flux<T> all(SqlStatement statement, ResultReader.Factory<T> reader, ContextView context) {
        Dialect now = known;
        return now == null
                ? later.flatMapMany(found -> all(statement, execution(statement, found, reader, context)))
                : all(statement, execution(statement, now, reader, context));
    }

    private <T> Flux<T> all(SqlStatement statement, Execution<T> execution) {
        Flux<T> rows = statement.source().rows(execution.streamed());
        return listener == SqlListener.NONE ? rows : rows.doOnCancel(execution::cancelled);
    }

    <T> Mono<Long> batch(
            SqlStatement statement,
            Publisher<? extends T> items,
            BiConsumer<? super Bindings, ? super T> binder,
            ContextView context) {
        Dialect now = known;
        return now == null
                ? later.flatMap(found -> batch(statement, found, items, binder, context))
                : batch(statement, now, items, binder, context);
    }

    private <T> Mono<Long> batch(
            SqlStatement statement,
            Dialect now,
            Publisher<? extends T> items,
            BiConsumer<? super Bindings, ? super T> binder,
            ContextView context) {
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        AtomicLong earlier = new AtomicLong();
        return UserCode.<T>publisher("The items of a batch", () -> items)
                .onErrorResume(e -> {
                    failed.set(e);
                    return Mono.empty();
                })
                .buffer(CHUNK, new Chunks<T>())
                .concatMap(
                        chunk -> {
                            long before = earlier.getAndAdd(chunk.size());
                            BatchExecution<T> execution = execution(statement, now, chunk, before, binder, context);
                            return one(statement, execution).onErrorMap(execution::located);
                        },
                        1)
                .reduce(0L, Long::sum)
                .flatMap(rows -> failedOr(failed.get(), rows));
    }

    /* Emitted last: the items before the failure of their publisher have been executed by now. */
    private static Mono<Long> failedOr(@Nullable Throwable failure, Long rows) {
        return failure == null ? Mono.just(rows) : Mono.error(failure);
    }

    private static <T> Execution<T> execution(
            SqlStatement statement, Dialect now, ResultReader.Factory<T> reader, ContextView context) {
        ParsedSql parsed = parsed(now, statement.sql());
        return new Execution<>(statement, parsed, BoundValues.resolve(statement.values(), parsed), reader, context);
    }

    private static <T> BatchExecution<T> execution(
            SqlStatement statement,
            Dialect now,
            List<T> items,
            long earlier,
            BiConsumer<? super Bindings, ? super T> binder,
            ContextView context) {
        ParsedSql parsed = parsed(now, statement.sql());
        @Nullable Object[] template = BoundValues.template(statement.values(), parsed);
        return new BatchExecution<>(statement, parsed, template, context, items, earlier, binder);
    }

    private static ParsedSql parsed(Dialect now, String sql) {
        return PARSED.get(now, dialect -> new BoundedCache<>(1024)).get(sql, text -> new ParsedSql(now, text));
    }

    /**
     * Supplies the lists for the chunks of one subscription. The first one starts small, since there may be few items.
     */
    private static final class Chunks<T> implements Supplier<List<T>> {

        private boolean full;

        @Override
        public List<T> get() {
            List<T> chunk = full ? new ArrayList<>(CHUNK) : new ArrayList<>();
            full = true;
            return chunk;
        }
    }
}
