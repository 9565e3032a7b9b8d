package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.SourceErrors;
import dev.r2dbcengine.sql.SqlExecution;
import io.r2dbc.spi.Connection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/** A statement that has at most one value. Once it is subscribed, a cancellation only discards the value. */
final class StatementOperation<T> extends SingleValueOperation<T> implements TransactionScope.Waiter {

    private final TransactionScope scope;
    private final Function<? super Connection, ? extends Publisher<? extends T>> statement;

    StatementOperation(
            TransactionScope scope,
            Function<? super Connection, ? extends Publisher<? extends T>> statement,
            CoreSubscriber<? super T> actual) {
        super(actual);
        this.scope = scope;
        this.statement = statement;
    }

    @Override
    void start() {
        scope.admit(this);
    }

    @Override
    public void run(Connection connection) {
        TransactionScope.send(statement, connection, this);
    }

    @Override
    public void fail(Throwable e) {
        if (statement instanceof SqlExecution && scope.restarts(this, e)) {
            return;
        }
        scope.statementFailed(e);
        failure(e);
        complete();
    }

    @Override
    public void skip() {
        complete();
    }

    @Override
    public boolean isPipelined() {
        return statement instanceof SqlExecution;
    }

    @Override
    void rejected() {
        failure(scope.ended());
        deliver();
    }

    @Override
    public void cancel() {
        super.cancel();
        scope.stopWaiting(this);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(T only) {
        if (isCancelled()) {
            Operators.onDiscard(only, currentContext());
        } else if (hasValue()) {
            failure(SourceErrors.moreThanOneValue());
            Operators.onDiscard(only, currentContext());
        } else {
            value(only);
        }
    }

    @Override
    public void onError(Throwable e) {
        if (!scope.holds(this, e)) {
            fail(e);
        }
    }

    @Override
    public void onComplete() {
        if (!scope.holds(this, null)) {
            complete();
        }
    }

    @Override
    void subscriberThrew(Throwable e) {
        scope.bodyThrew(e);
    }

    @Override
    void completedUnobserved(@Nullable Throwable e) {
        scope.transaction().reportUnobserved("statement", e);
    }
}
