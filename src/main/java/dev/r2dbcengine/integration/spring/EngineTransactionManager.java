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
 * Spring's {@link R2dbcTransactionManager} on the connection factory of an engine, but for one thing: a subscriber who leaves
 * while a transaction begins leaves nothing behind. Spring forgets a transaction that is begun in that moment, and its
 * connection with it; here the begin goes on to its end, and is rolled back then. Threads may share it.
 */
public final class EngineTransactionManager implements ReactiveTransactionManager {

    private final ReactiveTransactionManager spring;

    /**
     * A manager of transactions on connections of a factory.
     *
     * @param factory of an engine, or of its units; the one that the application's other code takes
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
