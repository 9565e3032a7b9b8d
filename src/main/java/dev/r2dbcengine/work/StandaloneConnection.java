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
 * A connection outside of any unit whose closing gives it back, once. A transaction that is begun on it is a unit; until
 * its holder has ended that, it is that unit's guarded connection. So what the holder still sends to a unit that ended by
 * itself, as by its timeout, is refused: the plain connection would commit it.
 */
final class StandaloneConnection implements Connection, Wrapped<Connection> {

    private final Connection connection;
    private final ContextualConnectionSource database;
    private final WorkSettings settings;
    private final AtomicBoolean back = new AtomicBoolean();
    private volatile @Nullable ManualTransaction held;
    private volatile Outcome outcome = Outcome.KEEP;

    StandaloneConnection(Connection connection, ContextualConnectionSource database, WorkSettings settings) {
        this.connection = connection;
        this.database = database;
        this.settings = settings;
    }

    /* What statements within its transaction join. Null while there is none. */
    @Nullable TransactionScope level() {
        ManualTransaction unit = held;
        return unit == null ? null : unit.level();
    }

    /* A transaction that was not ended is rolled back. */
    @Override
    public Mono<Void> close() {
        return Mono.defer(() -> back.getAndSet(true) ? Mono.empty() : endAndGiveBack());
    }

    private Mono<Void> endAndGiveBack() {
        Mono<Void> giveBack = Mono.defer(() -> database.source().giveBack(connection, outcome));
        ManualTransaction unit = held;
        return unit == null
                ? giveBack
                : Flux.concatDelayError(unit.rollback(), giveBack).then();
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
            ManualTransaction unit = held;
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
        held = unit;
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
        if (held == unit) {
            held = null;
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
            ManualTransaction unit = held;
            return unit == null || unit.isInLevel() ? Mono.fromDirect(otherEnd.apply(current())) : unitsEnd.apply(unit);
        });
    }

    /* What statements go to. */
    private Connection current() {
        ManualTransaction unit = held;
        if (unit != null) {
            return unit.guarded();
        }
        checkOpen();
        return connection;
    }

    /* The connection may be another subscriber's by now. */
    private void checkOpen() {
        if (back.get()) {
            throw new IllegalStateException("The connection was closed. Ask its factory for another one");
        }
    }

    /* Begins the transaction that it needs. */
    @Override
    public Publisher<Void> createSavepoint(String name) {
        SpiArguments.required(name, "name");
        return Mono.defer(() -> {
            Mono<Void> create = Mono.defer(() -> Mono.fromDirect(current().createSavepoint(name)));
            return held == null && current().isAutoCommit() ? begin(null).then(create) : create;
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

    /* To switch it on commits the transaction; within one it is off already. */
    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
        return Mono.defer(() -> {
            ManualTransaction unit = held;
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
        return Mono.defer(() -> held == null || isolation.equals(getTransactionIsolationLevel())
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

    /* Within its transaction too: that is the holder's own, and not a unit that others share. */
    private Mono<Void> set(Function<Connection, Publisher<Void>> setting) {
        return Mono.defer(() -> {
            ManualTransaction unit = held;
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
