package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Finds the transactions that a framework keeps in the Reactor Context, on connections of {@link
 * UnitOfWork#connectionFactory()} that it binds to the factory. Statements and units of the same database join such a
 * transaction as they join a unit. Called for each statement and unit; threads may share it.
 */
public interface BoundConnections {

    /** Finds nothing: no framework is in use. */
    BoundConnections NONE = (factory, context) -> null;

    /**
     * Finds the connection that is bound to a factory. Must not block.
     *
     * @param factory the factory from which the framework took the connection, or an equal one
     * @param context the Context of the subscriber
     * @return the connection as the factory returned it; null if none is bound
     */
    @Nullable Connection find(ConnectionFactory factory, ContextView context);

    /**
     * Hides the bound connection from a unit that does not join it, so that the framework's code in that unit finds the unit.
     *
     * @param context the Context of the subscriber
     * @return a Context in which {@link #find} finds nothing
     */
    default Context hide(Context context) {
        return context;
    }
}
