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
 * The transactions of Spring: {@code @Transactional} and {@code TransactionalOperator} by a {@code R2dbcTransactionManager}
 * on the engine's connection factory.
 *
 * <p>Not by {@code ConnectionFactoryUtils.releaseConnection}: that makes the transaction forget its connection when the
 * first statement gives it back.
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

    /* A holder says by this exception, and to its own package alone by a method, that it has none. */
    private static @Nullable Connection connection(ConnectionHolder holder) {
        try {
            return holder.getConnection();
        } catch (IllegalStateException none) {
            return null;
        }
    }

    /* An empty holder in place of the one that knows of the transaction; its type is Spring's own. */
    @Override
    public Context hide(Context context) {
        Context empty = TransactionContextManager.getOrCreateContextHolder().apply(Context.empty());
        return context.delete(TransactionContext.class).putAll(empty.readOnly());
    }
}
