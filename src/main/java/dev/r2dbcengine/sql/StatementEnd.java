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
     * Asks the database to end what runs on a connection, by the gentlest means that it has: a cancel request, a KILL on
     * another connection. Without either, the connection is closed.
     *
     * @param connection the connection
     * @param dialect of its database
     * @param source opens another connection for the request
     * @return completes when the database has the request
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
     * Closes the driver's connection, whatever runs on it.
     *
     * @param connection the connection, or one around it
     * @return completes when it is closed
     */
    public static Mono<Void> close(Connection connection) {
        return Mono.defer(() -> Mono.fromDirect(Dialect.unwrap(connection).close()));
    }

    /**
     * Makes the request, closes the connection a grace time later, and completes a grace time after that. It does not fail.
     * To be cancelled as soon as the statement has ended.
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
