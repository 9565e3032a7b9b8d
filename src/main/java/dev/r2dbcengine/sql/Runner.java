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

    private static final ParsedSqls PARSED = new ParsedSqls();
    private static final ResultReader.Factory<Long> COUNT = CountReader::new;

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

    Mono<Long> update(SqlStatement statement) {
        return one(statement, COUNT);
    }

    <T> Mono<T> one(SqlStatement statement, RowMapper<? extends T> mapper, RowReader.Mode mode) {
        return one(statement, (actual, execution) -> new RowReader<>(actual, execution, mapper, mode));
    }

    private <T> Mono<T> one(SqlStatement statement, ResultReader.Factory<T> reader) {
        Dialect now = known;
        return now == null ? later.flatMap(found -> one(statement, found, reader)) : one(statement, now, reader);
    }

    private <T> Mono<T> one(SqlStatement statement, Dialect now, ResultReader.Factory<T> reader) {
        return Mono.deferContextual(context -> one(plan(statement, now, context), reader));
    }

    /* Only this side of the source sees a subscriber leave. */
    private <T> Mono<T> one(Plan plan, ResultReader.Factory<T> reader) {
        Mono<T> result = source.one(new Reading<>(plan, reader));
        return listener == SqlListener.NONE ? result : result.doOnCancel(plan.execution()::cancelled);
    }

    <T> Flux<T> all(SqlStatement statement, RowMapper<? extends T> mapper) {
        Dialect now = known;
        return now == null ? later.flatMapMany(found -> all(statement, found, mapper)) : all(statement, now, mapper);
    }

    private <T> Flux<T> all(SqlStatement statement, Dialect now, RowMapper<? extends T> mapper) {
        return Flux.deferContextual(context -> {
            Plan plan = plan(statement, now, context);
            Reading<T> reading = new Reading<>(
                    plan, (actual, execution) -> new RowReader<>(actual, execution, mapper, RowReader.Mode.ALL));
            Flux<T> rows = source.rows(reading::buffered);
            return listener == SqlListener.NONE ? rows : rows.doOnCancel(plan.execution()::cancelled);
        });
    }

    <T> Mono<Long> batch(
            SqlStatement statement, Publisher<? extends T> items, BiConsumer<? super Bindings, ? super T> binder) {
        Dialect now = known;
        return now == null
                ? later.flatMap(found -> batch(statement, found, items, binder))
                : batch(statement, now, items, binder);
    }

    private <T> Mono<Long> batch(
            SqlStatement statement,
            Dialect now,
            Publisher<? extends T> items,
            BiConsumer<? super Bindings, ? super T> binder) {
        return Mono.deferContextual(context -> Flux.<T>from(items)
                .buffer(CHUNK, new Chunks<T>())
                .concatMap(chunk -> one(plan(statement, now, context, chunk, binder), COUNT), 1)
                .reduce(0L, Long::sum));
    }

    private Plan plan(SqlStatement statement, Dialect now, ContextView context) {
        ParsedSql parsed = PARSED.get(now, statement.sql());
        @Nullable Object[] values = Values.resolve(statement.values(), parsed);
        return new Plan(parsed, values, statement.options(), execution(statement, now, context));
    }

    private <T> Plan plan(
            SqlStatement statement,
            Dialect now,
            ContextView context,
            List<T> items,
            BiConsumer<? super Bindings, ? super T> binder) {
        ParsedSql parsed = PARSED.get(now, statement.sql());
        @Nullable Object[] template = Values.template(statement.values(), parsed);
        return new BatchPlan<>(
                parsed, template, statement.options(), execution(statement, now, context), items, binder);
    }

    private SqlExecution execution(SqlStatement statement, Dialect now, ContextView context) {
        return new SqlExecution(statement.sql(), now, listener, context);
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
