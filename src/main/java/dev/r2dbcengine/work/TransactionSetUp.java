package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** The set-up of a transaction that has just begun. It runs while the first statement waits in the queue. */
final class TransactionSetUp extends TransactionScope {

    private final Transaction transaction;
    private final Connection connection;

    TransactionSetUp(Transaction transaction, Connection connection) {
        super(transaction.context());
        this.transaction = transaction;
        this.connection = connection;
    }

    /* Completes when all its statements have. */
    Flux<?> run(Function<? super Work, ? extends Publisher<?>> body) {
        WorkSettings settings = new WorkSettings();
        settings.name = "the set-up of " + transaction.name();
        settings.graceTime = transaction.settings().graceTime;
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Object> actual) {
                Work work = new DefaultWork(TransactionSetUp.this, false);
                UnitExecution.start(TransactionSetUp.this, settings, false, body, work, actual);
            }
        };
    }

    @Override
    Transaction transaction() {
        return transaction;
    }

    @Override
    TransactionScope outer() {
        return transaction;
    }

    @Override
    void prepare(Waiter waiter) {
        if (transaction.isEndedByDatabase()) {
            waiter.fail(transaction.refusal());
        } else {
            waiter.run(connection);
        }
    }

    @Override
    void stopWaiting(Waiter waiter) {}

    @Override
    void end(UnitEnd<?> unit, boolean commits) {
        transaction.takeHooks(this);
        if (!commits && unit.failure() == null) {
            transaction.demandRollback(true, null);
        }
        unit.complete();
    }

    @Override
    void endStatement(UnitEnd<?> unit) {
        transaction.endStatement(unit);
    }

    @Override
    void abandon(UnitEnd<?> unit) {
        transaction.stillInUse();
        unit.complete();
    }
}
