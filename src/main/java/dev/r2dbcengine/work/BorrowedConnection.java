package dev.r2dbcengine.work;

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
final class BorrowedConnection implements Connection, Wrapped<Connection> {

    private final Connection connection;
    private final Database database;
    private final WorkSettings settings;
    private final AtomicBoolean back = new AtomicBoolean();
    private volatile @Nullable HeldUnit held;
    private volatile Outcome outcome = Outcome.KEEP;

    BorrowedConnection(Connection connection, Database database, WorkSettings settings) {
        this.connection = connection;
        this.database = database;
        this.settings = settings;
    }

    /* What statements within its transaction join. Null while there is none. */
    @Nullable Level level() {
        HeldUnit unit = held;
        return unit == null ? null : unit.level();
    }

    /* A transaction that was not ended is rolled back. */
    @Override
    public Mono<Void> close() {
        return Mono.defer(() -> back.getAndSet(true) ? Mono.empty() : endAndGiveBack());
    }

    private Mono<Void> endAndGiveBack() {
        Mono<Void> giveBack = Mono.defer(() -> database.source().giveBack(connection, outcome));
        HeldUnit unit = held;
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
            HeldUnit unit = held;
            if (unit != null) {
                return nest(unit.guarded(), definition);
            }
            Mono<Void> begin = Mono.defer(() -> begin(definition, Context.of(context)));
            return database.known() == null ? database.dialect().then(begin) : begin;
        });
    }

    private Mono<Void> begin(@Nullable TransactionDefinition definition, Context context) {
        HeldUnit unit =
                new HeldUnit(database, connection, HeldUnit.settings(settings, definition), context, this::ended);
        held = unit;
        return unit.begin();
    }

    private static Mono<Void> nest(Connection guarded, @Nullable TransactionDefinition definition) {
        return Mono.fromDirect(definition == null ? guarded.beginTransaction() : guarded.beginTransaction(definition));
    }

    private void ended(HeldUnit unit) {
        outcome = unit.outcome();
        if (held == unit) {
            held = null;
        }
    }

    @Override
    public Publisher<Void> commitTransaction() {
        return end(HeldUnit::commit, Connection::commitTransaction);
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return end(HeldUnit::rollback, Connection::rollbackTransaction);
    }

    private Mono<Void> end(Function<HeldUnit, Mono<Void>> unitsEnd, Function<Connection, Publisher<Void>> otherEnd) {
        return Mono.defer(() -> {
            HeldUnit unit = held;
            return unit == null || unit.isInLevel() ? Mono.fromDirect(otherEnd.apply(current())) : unitsEnd.apply(unit);
        });
    }

    /* What statements go to. */
    private Connection current() {
        HeldUnit unit = held;
        return unit == null ? connection : unit.guarded();
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
        return Mono.defer(() -> Mono.fromDirect(current().createSavepoint(name)));
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        return Mono.defer(() -> Mono.fromDirect(current().releaseSavepoint(name)));
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
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

    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
        return Mono.defer(() -> Mono.fromDirect(current().setAutoCommit(autoCommit)));
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
        return current().getTransactionIsolationLevel();
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel isolation) {
        return Mono.defer(() -> Mono.fromDirect(current().setTransactionIsolationLevel(isolation)));
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        return Mono.defer(() -> Mono.fromDirect(current().setLockWaitTimeout(timeout)));
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        return Mono.defer(() -> Mono.fromDirect(current().setStatementTimeout(timeout)));
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return connection.getMetadata();
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        return Mono.defer(() -> Mono.fromDirect(current().validate(depth)));
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
