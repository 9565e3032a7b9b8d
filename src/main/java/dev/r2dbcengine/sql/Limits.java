package dev.r2dbcengine.sql;

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

    static <T> Flux<T> limit(Execution<T> execution, Connection connection) {
        Duration timeout = execution.timeout();
        TimeLimit text = execution.dialect().timeLimit(timeout);
        if (text.prefix().isEmpty() && text.before().isEmpty()) {
            return new Deadline<>(execution, connection, timeout, execution);
        }
        Flux<T> guarded = new Deadline<>(execution, connection, timeout.plus(GRACE), ended(execution));
        return text.before().isEmpty() ? guarded : set(connection, text, guarded);
    }

    /* By the database itself. Its word for it may also mean that somebody else ended the statement. */
    private static <T> Flux<T> ended(Execution<T> execution) {
        return Flux.defer(() -> {
            long soonest = System.nanoTime() + execution.timeout().toNanos() / 10 * 9;
            return execution.onErrorMap(
                    e -> execution.dialect().kindOf(e) == ErrorKind.CANCELLED && System.nanoTime() - soonest >= 0,
                    e -> execution.late(false, e));
        });
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
