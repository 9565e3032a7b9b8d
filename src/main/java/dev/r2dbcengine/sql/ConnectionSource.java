package dev.r2dbcengine.sql;

import io.r2dbc.spi.Connection;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Where statements get their connection: a pool, an open unit of work, a transaction of somebody else's, or one
 * connection of a test. Everything it returns is cold. Threads may share it.
 *
 * <p><b>No statement is cancelled in flight.</b> Once it is subscribed it runs to its end: when the subscriber leaves,
 * the rest of the rows is read and dropped, and then the connection is given back. A cancel that overtook the statement
 * would leave the connection in a state that nobody knows.
 */
public interface ConnectionSource {

    /**
     * Runs a statement that has at most one value. The value is delivered when the statement is over and the connection
     * is back, so that whoever gets it can borrow at once.
     *
     * @param statement makes the statement on the connection; it must consume every result. Called once a subscription
     * @param <T> the type of the value
     * @return the value, or empty. It fails as the statement does; more than one value is an {@link
     *     IllegalStateException}. A cancel before the connection was there takes the request for it back; after that the
     *     statement goes on to its end, unseen
     */
    default <T> Mono<T> one(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return ConnectionLease.one(this, statement);
    }

    /**
     * Runs a statement that has rows. They pass as they are asked for; completion and failure are told when the
     * connection is back.
     *
     * @param statement makes the statement on the connection; it must consume every result. Called once a subscription
     * @param <T> the type of a row
     * @return the rows. On cancel the rest is read and dropped, then the connection is given back
     */
    default <T> Flux<T> rows(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
        return ConnectionLease.rows(this, statement);
    }

    /**
     * Borrows a connection. Who gets it gives it back exactly once, and does not cancel after it was emitted.
     *
     * @return the connection; never empty. A cancel before it was emitted takes the request back
     */
    Mono<Connection> borrow();

    /**
     * Borrows a connection for code outside this library, which may change the session without restoring it: then the
     * source restores it, or does not lend that connection again.
     *
     * @return as {@link #borrow()}, which it is unless overridden
     */
    default Mono<Connection> lend() {
        return borrow();
    }

    /**
     * Gives a borrowed connection back.
     *
     * @param connection one that {@link #borrow()} or {@link #lend()} emitted
     * @param outcome whether it may serve again
     * @return completes when it is back
     */
    Mono<Void> giveBack(Connection connection, Outcome outcome);

    /**
     * Opens a connection that never waits for the pool. The caller closes it.
     *
     * @return the connection
     */
    Mono<Connection> openUnpooled();

    /**
     * What units of work join by: equal for two sources that lead to the same engine.
     *
     * @param context of the subscriber, which may decide where the source leads
     * @return an object with a meaningful {@code equals}
     */
    Object identity(ContextView context);
}
