package dev.r2dbcengine.testing;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Result;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;

/** A batch of the {@link FakeDriver}. */
final class FakeBatch implements Batch {
    private final FakeDriver driver;
    private final FakeConnection connection;
    private final List<String> statements = new ArrayList<>();

    FakeBatch(FakeDriver driver, FakeConnection connection) {
        this.driver = driver;
        this.connection = connection;
    }

    @Override
    public Batch add(String sql) {
        statements.add(sql);
        return this;
    }

    @Override
    public Publisher<? extends Result> execute() {
        List<String> results = List.copyOf(statements);
        String detail = String.join("; ", results);
        driver.throwIfConfigured(Call.BATCH, detail);
        List<ExecutedStatement> executed = results.stream()
                .map(sql -> new ExecutedStatement(connection.number(), sql, List.of(), 0, List.of()))
                .toList();
        return subscriber ->
                new FakeExecution(driver, connection, subscriber, Call.BATCH, detail, executed, results).start();
    }
}
