package dev.r2dbcengine.testing;

import io.r2dbc.spi.Result;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/** The execution of a statement or batch: one result for each set of bindings or each statement. */
final class FakeExecution extends FakeExchange<Result> {
    private final FakeDriver driver;
    private final FakeConnection connection;
    private final FakeUse use;
    private final List<ExecutedStatement> statements;
    private final List<String> results;

    /** {@code results} names the statement of each result. */
    FakeExecution(
            FakeDriver driver,
            FakeConnection connection,
            Subscriber<? super Result> subscriber,
            Call call,
            String detail,
            List<ExecutedStatement> statements,
            List<String> results) {
        super(driver, subscriber, call, connection.number(), detail);
        this.driver = driver;
        this.connection = connection;
        this.use = new FakeUse(connection, call.with(detail));
        this.statements = statements;
        this.results = results;
    }

    @Override
    @Nullable Throwable begin() {
        statements.forEach(driver.log()::executed);
        use.began(this);
        return connection.enter(use);
    }

    @Override
    Iterator<Result> answer() {
        return new FakeValues<>(results.size(), index -> result(results.get(index)));
    }

    private Result result(String sql) {
        // A result after the cancellation is not read, so it does not occupy the connection.
        FakeUse reading = isCancelled() ? new FakeUse(connection, use.text()) : use;
        reading.resultEmitted();
        return new FakeResult(driver, connection, reading, sql, driver.answerTo(sql));
    }

    @Override
    boolean waits() {
        return use.waits();
    }

    @Override
    void ended(End end) {
        use.ended(this);
    }
}
