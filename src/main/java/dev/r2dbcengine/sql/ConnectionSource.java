package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.Connection;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Provides the connections on which statements run: a pool, an open unit of work, a transaction managed elsewhere, or
 * the single connection of a test. Every returned publisher is cold. Implementations must be safe for use by several
 * threads.
 *
 * <p><b>No statement is cancelled in flight.</b> Once subscribed, it runs to completion: when the subscriber cancels,
 * the remaining rows are read and discarded, then the connection is released. A cancel that overtook the statement
 * would leave the connection in an unknown state.
 */
public interface ConnectionSource {

    /**
     * Runs a statement that emits at most one value. The value is emitted after the statement has completed and the
     * connection has been released, so that its receiver can acquire a connection at once.
     *
     * @param statement creates the statement on the connection and must consume every result; called once for each
     *     subscription
     * @param <T> the type of the value
     * @return the value, or empty. Fails with the error of the statement, and with an {@link IllegalStateException} for
     *     more than one value. A cancel before the connection was emitted cancels the acquisition; after that the
     *     statement runs to completion and its result is discarded
     */
    default <T> Mono<T> one(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return ConnectionLease.one(this, statement);
    }

    /**
     * Runs a statement that emits rows. Rows are emitted on demand; completion and error follow once the connection has
     * been released.
     *
     * @param statement creates the statement on the connection and must consume every result; called once for each
     *     subscription
     * @param <T> the type of a row
     * @return the rows. On cancel the remaining rows are read and discarded, then the connection is released
     */
    default <T> Flux<T> rows(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return ConnectionLease.rows(this, statement);
    }

    /**
     * Acquires a connection. The caller releases it exactly once by {@link #giveBack}, and does not cancel after it was
     * emitted.
     *
     * @return the connection; never empty. A cancel before it was emitted cancels the acquisition
     */
    Mono<Connection> borrow();

    /**
     * Acquires a connection for code outside this library, which may change the session without restoring it. The
     * source then restores the session or does not reuse the connection.
     *
     * @return the connection, as of {@link #borrow()}, which the default implementation calls
     */
    default Mono<Connection> lend() {
        return borrow();
    }

    /**
     * Releases an acquired connection.
     *
     * @param connection one that {@link #borrow()} or {@link #lend()} emitted
     * @param outcome whether the connection may be reused
     * @return a Mono that completes when the connection is released
     */
    Mono<Void> giveBack(Connection connection, Outcome outcome);

    /**
     * Returns whether the driver sends each call on a connection when it is subscribed, in order, without waiting for the
     * answers to earlier calls. A unit of work then sends BEGIN and its first statement in one round trip.
     *
     * @param connection one that {@link #borrow()} emitted
     * @param dialect the dialect of its database
     * @return false by default, which is safe for every connection. A source that decorates connections must not return
     *     true if a decorator can delay a call
     */
    default boolean isPipelined(Connection connection, Dialect dialect) {
        return false;
    }

    /**
     * Returns the session of a connection, which was read when the connection was opened. It is used to terminate a
     * statement by a request on another connection, which must have reached the same server.
     *
     * @param connection one that {@link #borrow()}, {@link #lend()} or {@link #openUnpooled()} emitted
     * @return the session; empty by default, and if it is unknown: a statement is then terminated by closing its connection
     */
    default Mono<ServerSession> session(Connection connection) {
        return Mono.empty();
    }

    /**
     * Opens a connection outside the pool, without waiting for the pool. The caller closes it.
     *
     * @return the connection
     */
    Mono<Connection> openUnpooled();

    /**
     * Returns the key by which units of work join: equal for two sources of the same engine.
     *
     * @param context the Context of the subscriber, which may determine the engine
     * @return an object with a meaningful {@code equals}
     */
    Object identity(ContextView context);
}
