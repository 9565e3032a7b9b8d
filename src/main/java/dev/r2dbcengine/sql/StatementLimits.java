package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.SessionSetting;
import dev.r2dbcengine.dialect.TimeLimit;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Applies the timeout of a statement: in the database where it has a statement timeout, backed by a {@link
 * StatementDeadline}.
 */
final class StatementLimits {

    /* How long the database may take to cancel a statement. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private StatementLimits() {}

    static <T> Flux<T> limit(Execution<T> execution, Connection connection) {
        Duration timeout = execution.timeout();
        TimeLimit text = execution.dialect().timeLimit(timeout);
        SessionSetting setting = text.setting();
        if (text.prefix().isEmpty() && setting.equals(SessionSetting.NONE)) {
            return new StatementDeadline<>(execution, connection, timeout, execution);
        }
        Flux<T> guarded = new StatementDeadline<>(execution, connection, timeout.plus(GRACE), ended(execution));
        return setting.equals(SessionSetting.NONE) ? guarded : set(connection, setting, guarded);
    }

    /*
     * The database enforces the timeout. The same error also reports a cancel by another session, so the elapsed time
     * decides.
     */
    private static <T> Flux<T> ended(Execution<T> execution) {
        return Flux.defer(() -> {
            long soonest = System.nanoTime() + execution.timeout().toNanos() / 10 * 9;
            return execution.onErrorMap(
                    e -> execution.dialect().kindOf(e) == ErrorKind.CANCELLED && System.nanoTime() - soonest >= 0,
                    e -> execution.timedOut(false, e));
        });
    }

    /* Reads the current value first and restores it after completion and after an error. */
    private static <T> Flux<T> set(Connection connection, SessionSetting setting, Flux<T> guarded) {
        return SessionStatements.restoring(connection, setting).flatMapMany(restore -> {
            Mono<T> restored = SessionStatements.run(connection, restore);
            return SessionStatements.run(connection, setting.set())
                    .thenMany(guarded)
                    .onErrorResume(e -> restored.onErrorResume(also -> {
                                Exceptions.addSuppressed(e, also);
                                return Mono.empty();
                            })
                            .then(Mono.error(e)))
                    .concatWith(restored);
        });
    }
}
