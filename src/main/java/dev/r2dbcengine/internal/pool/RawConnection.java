package dev.r2dbcengine.internal.pool;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A pooled connection that is lent to code outside this library. If that code changes a setting whose previous value
 * the SPI does not expose, the release closes the physical connection instead of resetting it.
 */
final class RawConnection implements Connection, Wrapped<Connection> {
    private final Connection pooled;
    private final PhysicalConnections physical;

    RawConnection(Connection pooled, PhysicalConnections physical) {
        this.pooled = pooled;
        this.physical = physical;
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        return Flux.from(pooled.setLockWaitTimeout(timeout)).doFirst(() -> physical.discard(unwrap()));
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        return Flux.from(pooled.setStatementTimeout(timeout)).doFirst(() -> physical.discard(unwrap()));
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel isolation) {
        return Flux.from(pooled.setTransactionIsolationLevel(isolation)).doFirst(() -> physical.isolationSet(unwrap()));
    }

    /** Returns the driver's connection, as the pooled connection does. */
    @Override
    public Connection unwrap() {
        return Objects.requireNonNullElse(ShutdownSafePool.underPool(pooled), pooled);
    }

    @Override
    public <E> @Nullable E unwrap(Class<E> type) {
        Connection driver = unwrap();
        return type.isInstance(driver) ? type.cast(driver) : Wrapped.super.unwrap(type);
    }

    @Override
    public Mono<Void> close() {
        return new ConnectionRelease(pooled);
    }

    @Override
    public Publisher<Void> beginTransaction() {
        return pooled.beginTransaction();
    }

    @Override
    public Publisher<Void> beginTransaction(TransactionDefinition definition) {
        return pooled.beginTransaction(definition);
    }

    @Override
    public Publisher<Void> commitTransaction() {
        return pooled.commitTransaction();
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return pooled.rollbackTransaction();
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
        return pooled.createSavepoint(name);
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        return pooled.releaseSavepoint(name);
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        return pooled.rollbackTransactionToSavepoint(name);
    }

    @Override
    public Batch createBatch() {
        return pooled.createBatch();
    }

    @Override
    public Statement createStatement(String sql) {
        return pooled.createStatement(sql);
    }

    @Override
    public boolean isAutoCommit() {
        return pooled.isAutoCommit();
    }

    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
        return pooled.setAutoCommit(autoCommit);
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
        return pooled.getTransactionIsolationLevel();
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return pooled.getMetadata();
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        return pooled.validate(depth);
    }

    @Override
    public String toString() {
        return pooled.toString();
    }
}
