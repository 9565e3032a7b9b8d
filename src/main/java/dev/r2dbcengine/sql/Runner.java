package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Statement;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Runs statements on connections of one source. All that happens happens at subscription. */
final class Runner {

    static final int CHUNK = 1000;

    private static final ParsedSqls PARSED = new ParsedSqls();

    private final ConnectionSource source;
    private final @Nullable Dialect known;
    private final Mono<Dialect> dialect;
    private final SqlListener listener;

    Runner(ConnectionSource source, Dialect known, SqlListener listener) {
        this(source, known, Mono.just(known), listener);
    }

    Runner(ConnectionSource source, Mono<Dialect> dialect, SqlListener listener) {
        this(source, null, dialect, listener);
    }

    private Runner(ConnectionSource source, @Nullable Dialect known, Mono<Dialect> dialect, SqlListener listener) {
        this.source = source;
        this.known = known;
        this.dialect = dialect;
        this.listener = listener;
    }

    Mono<Long> update(SqlStatement statement) {
        return one(statement, plan -> connection -> Reading.count(plan, connection));
    }

    <T> Mono<T> one(SqlStatement statement, RowMapper<? extends T> mapper, RowReader.Mode mode) {
        return one(statement, plan -> connection -> Reading.one(plan, connection, mapper, mode));
    }

    <T> Flux<T> all(SqlStatement statement, RowMapper<? extends T> mapper) {
        Dialect now = known;
        return now == null ? dialect.flatMapMany(later -> all(statement, later, mapper)) : all(statement, now, mapper);
    }

    private <T> Flux<T> all(SqlStatement statement, Dialect now, RowMapper<? extends T> mapper) {
        return Flux.deferContextual(context -> {
            Plan plan = plan(statement, now, context);
            return heard(source.rows(connection -> Reading.all(plan, connection, mapper)), plan.execution());
        });
    }

    <T> Mono<Long> batch(
            SqlStatement statement, Publisher<? extends T> items, BiConsumer<? super Bindings, ? super T> binder) {
        return dialect.flatMap(now -> Mono.deferContextual(context -> Flux.<T>from(items)
                .buffer(CHUNK)
                .concatMap(chunk -> chunk(statement, now, context, chunk, binder), 1)
                .reduce(0L, Long::sum)));
    }

    private <T> Mono<Long> chunk(
            SqlStatement statement,
            Dialect now,
            ContextView context,
            List<T> items,
            BiConsumer<? super Bindings, ? super T> binder) {
        ParsedSql parsed = PARSED.get(now, statement.sql());
        @Nullable Object[] template = Values.template(statement.values(), parsed);
        Plan plan = new Plan(
                parsed,
                template,
                (sql, driven) -> bind(sql, driven, now, new Bindings(parsed, template), items, binder),
                statement.options(),
                execution(statement, now, context));
        return heard(source.<Long>one(connection -> Reading.count(plan, connection)), plan.execution());
    }

    private static <T> void bind(
            DriverSql sql,
            Statement driven,
            Dialect now,
            Bindings bindings,
            List<T> items,
            BiConsumer<? super Bindings, ? super T> binder) {
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                driven.add();
            }
            binder.accept(bindings, items.get(i));
            bindings.bindTo(sql, driven, now);
        }
    }

    private <T> Mono<T> one(
            SqlStatement statement, Function<Plan, Function<Connection, ? extends Publisher<? extends T>>> reading) {
        Dialect now = known;
        return now == null ? dialect.flatMap(later -> one(statement, later, reading)) : one(statement, now, reading);
    }

    private <T> Mono<T> one(
            SqlStatement statement,
            Dialect now,
            Function<Plan, Function<Connection, ? extends Publisher<? extends T>>> reading) {
        return Mono.deferContextual(context -> {
            Plan plan = plan(statement, now, context);
            return heard(source.<T>one(reading.apply(plan)), plan.execution());
        });
    }

    private Plan plan(SqlStatement statement, Dialect now, ContextView context) {
        ParsedSql parsed = PARSED.get(now, statement.sql());
        @Nullable Object[] values = Values.resolve(statement.values(), parsed);
        return new Plan(
                parsed,
                values,
                (sql, driven) -> sql.bind(driven, now, values),
                statement.options(),
                execution(statement, now, context));
    }

    private SqlExecution execution(SqlStatement statement, Dialect now, ContextView context) {
        return new SqlExecution(statement.sql(), now, listener, context);
    }

    /* Only this side of the source sees a subscriber leave. */
    private <T> Mono<T> heard(Mono<T> result, SqlExecution execution) {
        return listener == SqlListener.NONE ? result : result.doOnCancel(execution::cancelled);
    }

    private <T> Flux<T> heard(Flux<T> result, SqlExecution execution) {
        return listener == SqlListener.NONE ? result : result.doOnCancel(execution::cancelled);
    }
}
