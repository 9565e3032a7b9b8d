package dev.r2dbcengine.internal.blocking;

import dev.r2dbcengine.sql.SpiArguments;
import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.scheduler.Scheduler;

/** A connection of a blocking driver that does not block non-blocking threads. */
public final class WorkerConnection implements Connection, Wrapped<Connection> {
    private final Connection driver;
    private final Worker worker = new Worker();

    public WorkerConnection(Connection driver) {
        this.driver = driver;
    }

    @Override
    public Connection unwrap() {
        return driver;
    }

    /** r2dbc-pool unwraps a scheduler and emits the connection on it, instead of inside its drain loop. */
    @Override
    public <E> @Nullable E unwrap(Class<E> type) {
        if (type == Scheduler.class) {
            return type.cast(worker.scheduler());
        }
        return type.isInstance(driver) ? type.cast(driver) : Wrapped.super.unwrap(type);
    }

    @Override
    public Publisher<Void> beginTransaction() {
        return worker.mono(driver::beginTransaction);
    }

    @Override
    public Publisher<Void> beginTransaction(TransactionDefinition definition) {
        return worker.mono(() -> driver.beginTransaction(definition));
    }

    @Override
    public Publisher<Void> commitTransaction() {
        return worker.mono(driver::commitTransaction);
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return worker.mono(driver::rollbackTransaction);
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
        SpiArguments.required(name, "name");
        return worker.mono(() -> driver.createSavepoint(name));
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        SpiArguments.required(name, "name");
        return worker.mono(() -> driver.releaseSavepoint(name));
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        SpiArguments.required(name, "name");
        return worker.mono(() -> driver.rollbackTransactionToSavepoint(name));
    }

    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
        return worker.mono(() -> driver.setAutoCommit(autoCommit));
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel isolationLevel) {
        SpiArguments.required(isolationLevel, "isolationLevel");
        return worker.mono(() -> driver.setTransactionIsolationLevel(isolationLevel));
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        SpiArguments.required(timeout, "timeout");
        return worker.mono(() -> driver.setLockWaitTimeout(timeout));
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        SpiArguments.required(timeout, "timeout");
        return worker.mono(() -> driver.setStatementTimeout(timeout));
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        SpiArguments.required(depth, "depth");
        return worker.<Boolean>mono(() -> driver.validate(depth)).onErrorReturn(false);
    }

    @Override
    public Publisher<Void> close() {
        return worker.close(driver);
    }

    @Override
    public Batch createBatch() {
        return new WorkerBatch(driver.createBatch(), worker);
    }

    @Override
    public Statement createStatement(String sql) {
        return new WorkerStatement(driver.createStatement(sql), worker);
    }

    @Override
    public boolean isAutoCommit() {
        return driver.isAutoCommit();
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return driver.getMetadata();
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
        return driver.getTransactionIsolationLevel();
    }

    @Override
    public String toString() {
        return driver.toString();
    }
}
