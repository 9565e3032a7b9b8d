package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.work.BoundConnections;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.connection.ConnectionHolder;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionContextManager;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Finds the connection of Spring's current transaction: {@code @Transactional} or {@code TransactionalOperator} with a
 * {@code R2dbcTransactionManager} on the engine's connection factory.
 *
 * <p>Does not use {@code ConnectionFactoryUtils.releaseConnection}, which removes the connection from the transaction
 * when the first statement releases it.
 */
final class SpringTransactions implements BoundConnections {

    @Override
    public @Nullable Connection find(ConnectionFactory factory, ContextView context) {
        TransactionContext transaction = context.getOrDefault(TransactionContext.class, null);
        return transaction != null
                        && new TransactionSynchronizationManager(transaction).getResource(factory)
                                instanceof ConnectionHolder holder
                ? connection(holder)
                : null;
    }

    /* An empty holder throws this exception; its method that checks is package-private. */
    private static @Nullable Connection connection(ConnectionHolder holder) {
        try {
            return holder.getConnection();
        } catch (IllegalStateException none) {
            return null;
        }
    }

    /* Replaces the holder of the transaction by an empty one; its type is internal to Spring. */
    @Override
    public Context hide(Context context) {
        Context empty = TransactionContextManager.getOrCreateContextHolder().apply(Context.empty());
        return context.delete(TransactionContext.class).putAll(empty.readOnly());
    }
}
