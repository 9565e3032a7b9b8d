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

/**
 * The turn of a statement that has at most one value. Once subscribed it is never cancelled: a subscriber who leaves just gets
 * nothing.
 */
final class StatementOperation<T> extends SingleValueOperation<T> implements TransactionScope.Waiter {

    private final TransactionScope level;
    private final Function<? super Connection, ? extends Publisher<? extends T>> statement;

    StatementOperation(
            TransactionScope level,
            Function<? super Connection, ? extends Publisher<? extends T>> statement,
            CoreSubscriber<? super T> actual) {
        super(actual);
        this.level = level;
        this.statement = statement;
    }

    @Override
    void start() {
        level.admit(this);
    }

    @Override
    public void run(Connection connection) {
        TransactionScope.send(statement, connection, this);
    }

    @Override
    public void fail(Throwable e) {
        if (statement instanceof SqlExecution && level.restarts(this, e)) {
            return;
        }
        level.statementFailed(e);
        failure(e);
        over();
    }

    @Override
    public void left() {
        over();
    }

    @Override
    void refused() {
        failure(level.ended());
        deliver();
    }

    @Override
    public void cancel() {
        super.cancel();
        level.stopWaiting(this);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(T only) {
        if (isLeft()) {
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
        fail(e);
    }

    @Override
    public void onComplete() {
        over();
    }

    @Override
    void thrown(Throwable e) {
        level.bodyThrew(e);
    }

    @Override
    void unseen(@Nullable Throwable ended) {
        level.transaction().unseenByWhoLeft("statement", ended);
    }
}
