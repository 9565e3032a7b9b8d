package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.work.UnitOfWork;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Option;
import java.time.Duration;
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
 * and then rolls back. The timeout of a transaction, as of {@code @Transactional(timeout = 5)}, which Spring passes on as the
 * lock wait timeout alone, also limits the transaction: when it has passed, the transaction rolls back, further statements
 * are rejected, and the commit fails with {@link dev.r2dbcengine.work.WorkTimeoutException}. Thread-safe.
 */
public final class EngineTransactionManager implements ReactiveTransactionManager {

    private final ReactiveTransactionManager spring;

    /**
     * Creates a transaction manager for a connection factory.
     *
     * @param factory of an engine or of its units of work; must be the factory that the application's other code uses
     */
    public EngineTransactionManager(ConnectionFactory factory) {
        this.spring = new WithTimeout(factory);
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

    /** Passes the timeout of a transaction to its connection. */
    private static final class WithTimeout extends R2dbcTransactionManager {

        WithTimeout(ConnectionFactory factory) {
            super(factory);
        }

        @Override
        protected io.r2dbc.spi.TransactionDefinition createTransactionDefinition(TransactionDefinition definition) {
            io.r2dbc.spi.TransactionDefinition spring = super.createTransactionDefinition(definition);
            Duration timeout = determineTimeout(definition);
            return timeout.isZero() ? spring : new TimedDefinition(spring, timeout);
        }
    }

    private record TimedDefinition(io.r2dbc.spi.TransactionDefinition spring, Duration timeout)
            implements io.r2dbc.spi.TransactionDefinition {

        @Override
        public <T> @Nullable T getAttribute(Option<T> option) {
            return option.equals(UnitOfWork.TIMEOUT) ? option.cast(timeout) : spring.getAttribute(option);
        }
    }
}
