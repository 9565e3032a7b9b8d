package dev.r2dbcengine.work;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The connection of a level, handed out to code that knows nothing of the unit. That code may begin and end what it takes
 * for transactions; they are savepoints. What would end the unit's own transaction, or outlive it on the connection, is
 * refused, and nothing gets through after the level's end.
 */
final class GuardedConnection implements Connection, Wrapped<Connection> {

    private final Connection connection;
    private final Level level;
    private final RawStatements running;
    private final Deque<String> savepoints = new ArrayDeque<>();

    GuardedConnection(Connection connection, Level level) {
        this.connection = connection;
        this.level = level;
        this.running = level.raw();
    }

    Publisher<? extends Result> results(Supplier<? extends Publisher<? extends Result>> execution) {
        Flux<GuardedResult> results =
                Flux.defer(() -> Flux.from(execution.get()).map(result -> new GuardedResult(result, running)));
        return new RawCall<>(running, running::start, results, GuardedResult::discard);
    }

    private <T> Publisher<T> call(Supplier<? extends Publisher<T>> call) {
        return Mono.fromDirect(new RawCall<>(running, running::start, Flux.defer(call), dropped -> {}));
    }

    private <T> Publisher<T> refuse(String what, String instead) {
        return Mono.error(() -> new WorkException(
                what + " is not for a connection that " + level.transaction().name() + " owns: " + instead));
    }

    @Override
    public Publisher<Void> beginTransaction() {
        return call(() -> {
            String name = level.transaction().nextSavepoint();
            return Mono.fromDirect(level.transaction().createSavepoint(connection, name))
                    .doOnSuccess(done -> push(name));
        });
    }

    @Override
    public Publisher<Void> beginTransaction(TransactionDefinition definition) {
        IsolationLevel wanted = definition.getAttribute(TransactionDefinition.ISOLATION_LEVEL);
        return wanted == null || wanted.equals(level.transaction().settings().isolation)
                ? beginTransaction()
                : refuse("Isolation " + wanted.asSql(), "set it by UnitOfWork.isolation(…)");
    }

    @Override
    public Publisher<Void> commitTransaction() {
        return Mono.defer(() -> {
            String name = pop();
            return name == null
                    ? Mono.from(refuse("A commit", "its unit commits it"))
                    : Mono.fromDirect(call(() -> level.transaction().releaseSavepoint(connection, name)))
                            .doOnError(e -> push(name));
        });
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return Mono.defer(() -> {
            String name = pop();
            if (name == null) {
                level.checkOpen();
                level.demandRollback(false, null);
                return Mono.empty();
            }
            return Mono.fromDirect(call(() -> level.transaction().rollBackTo(connection, name)));
        });
    }

    synchronized boolean isInLevel() {
        return !savepoints.isEmpty();
    }

    private synchronized void push(String savepoint) {
        savepoints.push(savepoint);
    }

    private synchronized @Nullable String pop() {
        return savepoints.poll();
    }

    @Override
    public Publisher<Void> close() {
        return Mono.empty();
    }

    @Override
    public Batch createBatch() {
        running.checkOpen();
        return new GuardedBatch(connection.createBatch(), this);
    }

    @Override
    public Statement createStatement(String sql) {
        running.checkOpen();
        return new GuardedStatement(connection.createStatement(sql), this);
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
        return call(() -> level.transaction().createSavepoint(connection, name));
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        return call(() -> level.transaction().releaseSavepoint(connection, name));
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        return call(() -> level.transaction().rollBackTo(connection, name));
    }

    @Override
    public boolean isAutoCommit() {
        return false;
    }

    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
        return autoCommit ? refuse("Autocommit", "its unit commits it") : Mono.empty();
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
        IsolationLevel own = level.transaction().settings().isolation;
        return own == null ? connection.getTransactionIsolationLevel() : own;
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel isolation) {
        return refuse("Isolation " + isolation.asSql(), "set it by UnitOfWork.isolation(…)");
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        return refuse("A lock timeout", "set it by UnitOfWork.lockWaitTimeout(…)");
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        return refuse("A statement timeout", "set it by SqlStatement.timeout(…) or UnitOfWork.timeout(…)");
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return connection.getMetadata();
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        return call(() -> connection.validate(depth));
    }

    /** The driver's features are the caller's to use with care: the guard does not see them. */
    @Override
    public Connection unwrap() {
        return connection;
    }

    @Override
    public String toString() {
        return "Connection of " + level.transaction().name();
    }
}
