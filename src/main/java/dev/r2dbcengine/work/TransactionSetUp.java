package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** The set-up of a transaction that has just begun, run while its first statement has the turn. */
final class TransactionSetUp extends TransactionScope {

    private final Transaction transaction;
    private final Connection connection;

    TransactionSetUp(Transaction transaction, Connection connection) {
        super(transaction.context());
        this.transaction = transaction;
        this.connection = connection;
    }

    /* Over when all its statements are. */
    Flux<?> run(Function<? super Work, ? extends Publisher<?>> body) {
        WorkSettings settings = new WorkSettings();
        settings.name = "the set-up of " + transaction.name();
        settings.graceTime = transaction.settings().graceTime;
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Object> actual) {
                UnitExecution.start(TransactionSetUp.this, settings, false, body, actual);
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
    void end(UnitExecution<?> run) {
        if (run.claimEnd()) {
            run.seal();
            transaction.takeHooks(this);
            run.over();
        }
    }

    @Override
    void endStatement(UnitExecution<?> run) {
        transaction.endStatement(run);
    }

    @Override
    void abandon(UnitExecution<?> run) {
        transaction.stillInUse();
        run.over();
    }
}
