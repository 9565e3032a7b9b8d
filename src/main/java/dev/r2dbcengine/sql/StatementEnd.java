package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Ends a running statement from outside. Its connection must not be used again. */
public final class StatementEnd {

    private StatementEnd() {}

    /**
     * Asks the database to cancel the running statement of a connection: by a cancel request, else by a KILL on another
     * connection. If the database has neither, the connection is closed.
     *
     * @param connection the connection
     * @param dialect the dialect of its database
     * @param source opens another connection for the request
     * @return a Mono that completes when the database has accepted the request
     */
    public static Mono<Void> request(Connection connection, Dialect dialect, ConnectionSource source) {
        return Mono.defer(() -> {
            Mono<Void> request = gentleRequest(connection, dialect, source);
            return request == null ? close(connection) : request;
        });
    }

    private static @Nullable Mono<Void> gentleRequest(Connection connection, Dialect dialect, ConnectionSource source) {
        Publisher<Void> cancel = dialect.cancel(connection);
        if (cancel != null) {
            return Mono.fromDirect(cancel);
        }
        String kill = dialect.kill(connection);
        return kill == null ? null : runElsewhere(kill, source);
    }

    private static Mono<Void> runElsewhere(String sql, ConnectionSource source) {
        return Mono.usingWhen(source.openUnpooled(), other -> SessionStatements.run(other, sql), Connection::close);
    }

    /**
     * Closes the driver's connection, even while a statement runs on it.
     *
     * @param connection the connection, or a wrapper of it
     * @return a Mono that completes when it is closed
     */
    public static Mono<Void> close(Connection connection) {
        return Mono.defer(() -> Mono.fromDirect(Dialect.unwrap(connection).close()));
    }

    /**
     * Sends the request, closes the connection one grace time later, and completes after a second grace time. Never
     * fails. The caller cancels it as soon as the statement has terminated.
     */
    static Mono<Void> force(Connection connection, Dialect dialect, ConnectionSource source, Duration graceTime) {
        Mono<Void> closing = inTime(close(connection), graceTime);
        return Mono.defer(() -> {
            Mono<Void> request = gentleRequest(connection, dialect, source);
            return request == null ? closing : inTime(request, graceTime).then(closing);
        });
    }

    private static Mono<Void> inTime(Mono<Void> call, Duration pause) {
        return call.timeout(StatementLimits.GRACE)
                .onErrorComplete()
                .then(Mono.delay(pause))
                .then();
    }
}
