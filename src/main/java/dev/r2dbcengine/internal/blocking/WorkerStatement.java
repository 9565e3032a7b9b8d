package dev.r2dbcengine.internal.blocking;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import org.reactivestreams.Publisher;

/** A statement of a {@link WorkerConnection}. */
final class WorkerStatement implements Statement {
    private final Statement driver;
    private final Worker worker;

    WorkerStatement(Statement driver, Worker worker) {
        this.driver = driver;
        this.worker = worker;
    }

    @Override
    public Statement add() {
        driver.add();
        return this;
    }

    @Override
    public Statement bind(int index, Object value) {
        driver.bind(index, value);
        return this;
    }

    @Override
    public Statement bind(String name, Object value) {
        driver.bind(name, value);
        return this;
    }

    @Override
    public Statement bindNull(int index, Class<?> type) {
        driver.bindNull(index, type);
        return this;
    }

    @Override
    public Statement bindNull(String name, Class<?> type) {
        driver.bindNull(name, type);
        return this;
    }

    @Override
    public Statement fetchSize(int rows) {
        driver.fetchSize(rows);
        return this;
    }

    @Override
    public Statement returnGeneratedValues(String... columns) {
        driver.returnGeneratedValues(columns);
        return this;
    }

    @Override
    public Publisher<? extends Result> execute() {
        return worker.<Result>flux(driver::execute).map(result -> new WorkerResult(result, worker));
    }
}
