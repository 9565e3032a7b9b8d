package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.TimeLimit;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Ends a statement in time: by what the database has for it, and past that by a {@link Deadline}. */
final class Limits {

    /* How long the database may take to end a statement. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private Limits() {}

    static <T> Flux<T> limit(Plan plan, Connection connection, Flux<T> reading) {
        Duration timeout = plan.options().timeout();
        TimeLimit text = plan.execution().dialect().timeLimit(timeout);
        if (text.prefix().isEmpty() && text.before().isEmpty()) {
            return new Deadline<>(plan, connection, timeout, reading);
        }
        Flux<T> ended = reading.onErrorMap(e -> isLate(plan, e), e -> late(plan, e));
        Flux<T> guarded = new Deadline<>(plan, connection, timeout.plus(GRACE), ended);
        return text.before().isEmpty() ? guarded : set(connection, text, guarded);
    }

    /* The database's word for it may also mean that somebody else ended the statement. */
    private static boolean isLate(Plan plan, Throwable e) {
        Dialect dialect = plan.execution().dialect();
        Duration soonest = plan.options().timeout().multipliedBy(9).dividedBy(10);
        return dialect.kindOf(e) == ErrorKind.CANCELLED
                && plan.execution().elapsed().compareTo(soonest) >= 0;
    }

    private static StatementTimeoutException late(Plan plan, Throwable e) {
        return new StatementTimeoutException(
                plan.options().timeout(), false, plan.execution().sql(), e);
    }

    /* What was in force is read first and put back at the end, whatever the end is. */
    private static <T> Flux<T> set(Connection connection, TimeLimit text, Flux<T> guarded) {
        return read(connection, text.current()).flatMapMany(current -> {
            Mono<T> restored = run(connection, text.restore().replace("{current}", current));
            return run(connection, text.before())
                    .thenMany(guarded)
                    .onErrorResume(e -> restored.onErrorResume(also -> {
                                e.addSuppressed(also);
                                return Mono.empty();
                            })
                            .then(Mono.error(e)))
                    .concatWith(restored);
        });
    }

    private static Mono<String> read(Connection connection, String sql) {
        return Flux.defer(() -> connection.createStatement(sql).execute())
                .concatMap(result -> result.map((row, metadata) -> String.valueOf(row.get(0))))
                .single();
    }

    private static <T> Mono<T> run(Connection connection, String sql) {
        return Flux.defer(() -> connection.createStatement(sql).execute())
                .concatMap(result -> result.getRowsUpdated())
                .then(Mono.empty());
    }
}
