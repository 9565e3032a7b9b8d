package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.Outcome;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * A connection outside of any unit. Closing it releases it, once. A transaction that is begun on it is a unit, and until the
 * holder ends that transaction, calls go to the unit's guarded connection. It rejects statements after a timeout has rolled
 * the unit back, which the plain connection would commit.
 */
final class StandaloneConnection implements Connection, Wrapped<Connection> {

    private final Connection connection;
    private final Database database;
    private final WorkSettings settings;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable ManualTransaction manual;
    private volatile Outcome outcome = Outcome.KEEP;

    StandaloneConnection(Connection connection, Database database, WorkSettings settings) {
        this.connection = connection;
        this.database = database;
        this.settings = settings;
    }

    /* The scope that statements within its transaction join. Null if no transaction is open. */
    @Nullable TransactionScope scope() {
        ManualTransaction unit = manual;
        return unit == null ? null : unit.scope();
    }

    /* Rolls back a transaction that is still open. */
    @Override
    public Mono<Void> close() {
        return Mono.defer(() -> closed.getAndSet(true) ? Mono.empty() : endAndRelease());
    }

    private Mono<Void> endAndRelease() {
        Mono<Void> release = Mono.defer(() -> database.source().giveBack(connection, outcome));
        ManualTransaction unit = manual;
        return unit == null
                ? release
                : Flux.concatDelayError(unit.rollback(), release).then();
    }

    @Override
    public Connection unwrap() {
        return connection;
    }

    @Override
    public Publisher<Void> beginTransaction() {
        return begin(null);
    }

    @Override
    public Publisher<Void> beginTransaction(TransactionDefinition definition) {
        return begin(definition);
    }

    private Mono<Void> begin(@Nullable TransactionDefinition definition) {
        return Mono.deferContextual(context -> {
            ManualTransaction unit = manual;
            if (unit != null) {
                return nest(unit.guarded(), definition);
            }
            checkOpen();
            Mono<Void> begin = Mono.defer(() -> begin(definition, Context.of(context)));
            return database.known() == null ? database.dialect().then(begin) : begin;
        });
    }

    private Mono<Void> begin(@Nullable TransactionDefinition definition, Context context) {
        ManualTransaction unit = new ManualTransaction(
                database, connection, ManualTransaction.settings(settings, definition), context, this::ended);
        manual = unit;
        return unit.begin();
    }

    private static Mono<Void> nest(Connection guarded, @Nullable TransactionDefinition definition) {
        IsolationLevel wanted =
                definition == null ? null : definition.getAttribute(TransactionDefinition.ISOLATION_LEVEL);
        return wanted == null || wanted.equals(guarded.getTransactionIsolationLevel())
                ? Mono.fromDirect(guarded.beginTransaction())
                : Mono.error(() -> isolationInTransaction(wanted));
    }

    private static WorkException isolationInTransaction(IsolationLevel wanted) {
        return new WorkException(
                "Isolation " + wanted.asSql() + " cannot be set within a transaction: set it before, or"
                        + " pass it to the outermost beginTransaction(…)");
    }

    private void ended(ManualTransaction unit) {
        outcome = unit.outcome();
        if (manual == unit) {
            manual = null;
        }
    }

    @Override
    public Publisher<Void> commitTransaction() {
        return end(ManualTransaction::commit, Connection::commitTransaction);
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return end(ManualTransaction::rollback, Connection::rollbackTransaction);
    }

    private Mono<Void> end(
            Function<ManualTransaction, Mono<Void>> unitsEnd, Function<Connection, Publisher<Void>> otherEnd) {
        return Mono.defer(() -> {
            ManualTransaction unit = manual;
            return unit == null || unit.hasTransaction()
                    ? Mono.fromDirect(otherEnd.apply(current()))
                    : unitsEnd.apply(unit);
        });
    }

    /* The connection that runs the statements. */
    private Connection current() {
        ManualTransaction unit = manual;
        if (unit != null) {
            return unit.guarded();
        }
        checkOpen();
        return connection;
    }

    /* A closed connection may already be lent to another subscriber. */
    private void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("The connection was closed. Ask its factory for another one");
        }
    }

    /* A savepoint needs a transaction, so it begins one. */
    @Override
    public Publisher<Void> createSavepoint(String name) {
        SpiArguments.required(name, "name");
        return Mono.defer(() -> {
            Mono<Void> create = Mono.defer(() -> Mono.fromDirect(current().createSavepoint(name)));
            return manual == null && current().isAutoCommit() ? begin(null).then(create) : create;
        });
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        SpiArguments.required(name, "name");
        return Mono.defer(() -> Mono.fromDirect(current().releaseSavepoint(name)));
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        SpiArguments.required(name, "name");
        return Mono.defer(() -> Mono.fromDirect(current().rollbackTransactionToSavepoint(name)));
    }

    @Override
    public Batch createBatch() {
        return current().createBatch();
    }

    @Override
    public Statement createStatement(String sql) {
        return current().createStatement(sql);
    }

    @Override
    public boolean isAutoCommit() {
        return current().isAutoCommit();
    }

    /* Enabling it commits the transaction; within a transaction it is already disabled. */
    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
        return Mono.defer(() -> {
            ManualTransaction unit = manual;
            Mono<Void> set = Mono.defer(() -> Mono.fromDirect(current().setAutoCommit(autoCommit)));
            return unit != null && autoCommit ? unit.commit().then(set) : set;
        });
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
        return current().getTransactionIsolationLevel();
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel isolation) {
        SpiArguments.required(isolation, "isolation");
        return Mono.defer(() -> manual == null || isolation.equals(getTransactionIsolationLevel())
                ? Mono.fromDirect(current().setTransactionIsolationLevel(isolation))
                : Mono.error(isolationInTransaction(isolation)));
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        SpiArguments.required(timeout, "timeout");
        return set(driver -> driver.setLockWaitTimeout(timeout));
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        SpiArguments.required(timeout, "timeout");
        return set(driver -> driver.setStatementTimeout(timeout));
    }

    /* Also allowed within its transaction, which only the holder uses. */
    private Mono<Void> set(Function<Connection, Publisher<Void>> setting) {
        return Mono.defer(() -> {
            ManualTransaction unit = manual;
            return unit == null
                    ? Mono.fromDirect(setting.apply(current()))
                    : unit.guarded().call(() -> setting.apply(connection));
        });
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return connection.getMetadata();
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        SpiArguments.required(depth, "depth");
        return Mono.defer(() -> Mono.fromDirect(current().validate(depth))).onErrorReturn(false);
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
