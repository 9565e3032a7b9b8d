package dev.r2dbcengine.integration.spring;

import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * A transaction manager that delegates to Spring's {@link R2dbcTransactionManager} and handles cancellation while a
 * transaction begins. In that case Spring loses the transaction and its connection; this class lets the begin complete
 * and then rolls back. Thread-safe.
 */
public final class EngineTransactionManager implements ReactiveTransactionManager {

    private final ReactiveTransactionManager spring;

    /**
     * Creates a transaction manager for a connection factory.
     *
     * @param factory of an engine or of its units of work; must be the factory that the application's other code uses
     */
    public EngineTransactionManager(ConnectionFactory factory) {
        this.spring = new R2dbcTransactionManager(factory);
    }

    @Override
    public Mono<ReactiveTransaction> getReactiveTransaction(@Nullable TransactionDefinition definition) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super ReactiveTransaction> actual) {
                spring.getReactiveTransaction(definition).subscribe(new BegunTransaction(spring, actual));
            }
        };
    }

    @Override
    public Mono<Void> commit(ReactiveTransaction transaction) {
        return spring.commit(transaction);
    }

    @Override
    public Mono<Void> rollback(ReactiveTransaction transaction) {
        return spring.rollback(transaction);
    }
}
