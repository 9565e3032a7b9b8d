package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Transactions that a framework keeps in the Reactor Context in its own way, on connections of {@link
 * UnitOfWork#connectionFactory()}: it binds the connection to the factory. Statements and units of the same database join
 * them, as they would join a unit. Called at each statement and unit; threads may share it.
 */
public interface BoundConnections {

    /** There is no such framework. */
    BoundConnections NONE = (factory, context) -> null;

    /**
     * Finds the connection that is bound to a factory. It must not block.
     *
     * @param factory what the framework took the connection from, or one that is equal to it
     * @param context of the subscriber
     * @return the connection as the factory gave it; null when none is bound
     */
    @Nullable Connection find(ConnectionFactory factory, ContextView context);

    /**
     * Hides what is bound, for a unit that is not to join it: within that unit, the framework's code is to find the unit.
     *
     * @param context of the subscriber
     * @return a Context in which {@link #find} finds nothing
     */
    default Context hide(Context context) {
        return context;
    }
}
