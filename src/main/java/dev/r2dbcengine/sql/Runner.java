package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Runs statements on connections of one source. All that happens happens at subscription. */
final class Runner {

    static final int CHUNK = 1000;

    private static final Recent<Dialect, Recent<String, ParsedSql>> PARSED = new Recent<>(16);

    private final ConnectionSource source;
    private final @Nullable Dialect known;
    private final Mono<Dialect> later;
    private final SqlListener listener;

    Runner(ConnectionSource source, Dialect known, SqlListener listener) {
        this(source, known, Mono.empty(), listener);
    }

    Runner(ConnectionSource source, Mono<Dialect> later, SqlListener listener) {
        this(source, null, later, listener);
    }

    private Runner(ConnectionSource source, @Nullable Dialect known, Mono<Dialect> later, SqlListener listener) {
        this.source = source;
        this.known = known;
        this.later = later;
        this.listener = listener;
    }

    SqlListener listener() {
        return listener;
    }

    <T> Mono<T> one(SqlStatement statement, ResultReader.Factory<T> reader, ContextView context) {
        Dialect now = known;
        return now == null
                ? later.flatMap(found -> one(execution(statement, found, reader, context)))
                : one(execution(statement, now, reader, context));
    }

    /* Only this side of the source sees a subscriber leave. */
    private <T> Mono<T> one(Execution<T> execution) {
        Mono<T> result = source.one(execution);
        return listener == SqlListener.NONE ? result : result.doOnCancel(execution::cancelled);
    }

    <T> Flux<T> all(SqlStatement statement, ResultReader.Factory<T> reader, ContextView context) {
        Dialect now = known;
        return now == null
                ? later.flatMapMany(found -> all(execution(statement, found, reader, context)))
                : all(execution(statement, now, reader, context));
    }

    private <T> Flux<T> all(Execution<T> execution) {
        Flux<T> rows = source.rows(execution::buffered);
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
        return Flux.<T>from(items)
                .buffer(CHUNK, new Chunks<T>())
                .concatMap(chunk -> one(execution(statement, now, chunk, binder, context)), 1)
                .reduce(0L, Long::sum);
    }

    private static <T> Execution<T> execution(
            SqlStatement statement, Dialect now, ResultReader.Factory<T> reader, ContextView context) {
        ParsedSql parsed = parsed(now, statement.sql());
        return new Execution<>(statement, parsed, Values.resolve(statement.values(), parsed), reader, context);
    }

    private static <T> Execution<Long> execution(
            SqlStatement statement,
            Dialect now,
            List<T> items,
            BiConsumer<? super Bindings, ? super T> binder,
            ContextView context) {
        ParsedSql parsed = parsed(now, statement.sql());
        @Nullable Object[] template = Values.template(statement.values(), parsed);
        return new BatchExecution<>(statement, parsed, template, context, items, binder);
    }

    private static ParsedSql parsed(Dialect now, String sql) {
        return PARSED.get(now, dialect -> new Recent<>(1024)).get(sql, text -> new ParsedSql(now, text));
    }

    /** The lists for one subscription's chunks. Only the first one may stay short, so only that one grows. */
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
