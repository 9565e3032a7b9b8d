package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A connection of a source whose closing gives it back, once. */
final class BorrowedConnection implements Connection, Wrapped<Connection> {

    private final Connection connection;
    private final ConnectionSource source;
    private final AtomicBoolean back = new AtomicBoolean();

    BorrowedConnection(Connection connection, ConnectionSource source) {
        this.connection = connection;
        this.source = source;
    }

    @Override
    public Publisher<Void> close() {
        return Mono.defer(() -> back.getAndSet(true) ? Mono.empty() : source.giveBack(connection, Outcome.KEEP));
    }

    @Override
    public Connection unwrap() {
        return connection;
    }

    @Override
    public Publisher<Void> beginTransaction() {
        return connection.beginTransaction();
    }

    @Override
    public Publisher<Void> beginTransaction(TransactionDefinition definition) {
        return connection.beginTransaction(definition);
    }

    @Override
    public Publisher<Void> commitTransaction() {
        return connection.commitTransaction();
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return connection.rollbackTransaction();
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
        return connection.createSavepoint(name);
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        return connection.releaseSavepoint(name);
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        return connection.rollbackTransactionToSavepoint(name);
    }

    @Override
    public Batch createBatch() {
        return connection.createBatch();
    }

    @Override
    public Statement createStatement(String sql) {
        return connection.createStatement(sql);
    }

    @Override
    public boolean isAutoCommit() {
        return connection.isAutoCommit();
    }

    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
        return connection.setAutoCommit(autoCommit);
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
        return connection.getTransactionIsolationLevel();
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel isolation) {
        return connection.setTransactionIsolationLevel(isolation);
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        return connection.setLockWaitTimeout(timeout);
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        return connection.setStatementTimeout(timeout);
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return connection.getMetadata();
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        return connection.validate(depth);
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
