package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Ends a running statement from outside. Its connection must not be used again. */
public final class StatementEnd {

    private StatementEnd() {}

    /**
     * Asks the database to cancel the running statement of a connection: by a cancel request, else by a KILL on another
     * connection to the same server. If the database has neither, or the other connection reached another server, the
     * connection is closed.
     *
     * @param connection the connection
     * @param dialect the dialect of its database
     * @param source opens another connection for the request
     * @return a Mono that completes when the database has accepted the request
     */
    public static Mono<Void> request(Connection connection, Dialect dialect, ConnectionSource source) {
        return ask(connection, dialect, source).filter(asked -> !asked).flatMap(notAsked -> close(connection));
    }

    /* False if there is no request for this connection. */
    static Mono<Boolean> ask(Connection connection, Dialect dialect, ConnectionSource source) {
        return Mono.defer(() -> {
            Publisher<Void> cancel = dialect.cancel(connection);
            return cancel == null
                    ? kill(connection, dialect, source)
                    : Mono.fromDirect(cancel).thenReturn(true);
        });
    }

    /* Each server numbers its sessions from 1, so the id alone may be that of a stranger. */
    private static Mono<Boolean> kill(Connection connection, Dialect dialect, ConnectionSource source) {
        return source.session(connection)
                .flatMap(session -> Mono.usingWhen(
                        source.openUnpooled(),
                        other -> source.session(other)
                                .filter(reached -> reached.server().equals(session.server()))
                                .flatMap(same -> SessionStatements.run(other, dialect.kill(session.id()))
                                        .thenReturn(true)),
                        Connection::close))
                .defaultIfEmpty(false);
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
        return ask(connection, dialect, source)
                .timeout(StatementLimits.GRACE)
                .onErrorReturn(true)
                .filter(asked -> asked)
                .flatMap(asked -> Mono.delay(graceTime))
                .then(closing);
    }

    private static Mono<Void> inTime(Mono<Void> call, Duration pause) {
        return call.timeout(StatementLimits.GRACE)
                .onErrorComplete()
                .then(Mono.delay(pause))
                .then();
    }
}
