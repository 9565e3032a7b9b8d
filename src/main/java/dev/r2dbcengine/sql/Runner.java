package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Runs statements on connections of one source. All that happens happens at subscription. */
record Runner(ConnectionSource source, Mono<Dialect> dialect, SqlListener listener) {

    static final int CHUNK = 1000;

    private static final ParsedSqls PARSED = new ParsedSqls();

    Mono<Long> update(SqlStatement statement) {
        return one(statement, plan -> connection -> Reading.count(plan, connection));
    }

    <T> Mono<T> one(SqlStatement statement, RowMapper<? extends T> mapper, RowReader.Mode mode) {
        return one(statement, plan -> connection -> Reading.one(plan, connection, mapper, mode));
    }

    <T> Flux<T> all(SqlStatement statement, RowMapper<? extends T> mapper) {
        return dialect.flatMapMany(known -> Flux.deferContextual(context -> {
            Plan plan = plan(statement, known, context);
            return heard(source.rows(connection -> Reading.all(plan, connection, mapper)), plan.execution());
        }));
    }

    <T> Mono<Long> batch(
            SqlStatement statement, Publisher<? extends T> items, BiConsumer<? super Bindings, ? super T> binder) {
        return dialect.flatMap(known -> Mono.deferContextual(context -> Flux.<T>from(items)
                .buffer(CHUNK)
                .concatMap(chunk -> chunk(statement, known, context, chunk, binder), 1)
                .reduce(0L, Long::sum)));
    }

    private <T> Mono<Long> chunk(
            SqlStatement statement,
            Dialect known,
            ContextView context,
            List<T> items,
            BiConsumer<? super Bindings, ? super T> binder) {
        ParsedSql parsed = PARSED.get(known, statement.sql());
        Bindings bindings = new Bindings(parsed, Values.template(statement.values(), parsed));
        List<@Nullable Object[]> rows = new ArrayList<>(items.size());
        for (T item : items) {
            binder.accept(bindings, item);
            rows.add(bindings.take());
        }
        Plan plan = new Plan(parsed, rows, statement.options(), execution(statement, known, context));
        return heard(source.<Long>one(connection -> Reading.count(plan, connection)), plan.execution());
    }

    private <T> Mono<T> one(
            SqlStatement statement, Function<Plan, Function<Connection, ? extends Publisher<? extends T>>> reading) {
        return dialect.flatMap(known -> Mono.deferContextual(context -> {
            Plan plan = plan(statement, known, context);
            return heard(source.<T>one(reading.apply(plan)), plan.execution());
        }));
    }

    private Plan plan(SqlStatement statement, Dialect known, ContextView context) {
        ParsedSql parsed = PARSED.get(known, statement.sql());
        return new Plan(
                parsed,
                List.<@Nullable Object[]>of(Values.resolve(statement.values(), parsed)),
                statement.options(),
                execution(statement, known, context));
    }

    private SqlExecution execution(SqlStatement statement, Dialect known, ContextView context) {
        return new SqlExecution(statement.sql(), known, listener, context);
    }

    /* Only this side of the source sees a subscriber leave. */
    private <T> Mono<T> heard(Mono<T> result, SqlExecution execution) {
        return listener == SqlListener.NONE ? result : result.doOnCancel(execution::cancelled);
    }

    private <T> Flux<T> heard(Flux<T> result, SqlExecution execution) {
        return listener == SqlListener.NONE ? result : result.doOnCancel(execution::cancelled);
    }
}
