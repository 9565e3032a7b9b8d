package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.SpiArguments;
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
    private final TransactionScope level;
    private final InFlightCalls running;
    private final Deque<String> savepoints = new ArrayDeque<>();
    private volatile boolean closed;

    GuardedConnection(Connection connection, TransactionScope level) {
        this.connection = connection;
        this.level = level;
        this.running = level.raw();
    }

    Publisher<? extends Result> results(Publisher<? extends Result> execution) {
        Flux<GuardedResult> results = Flux.from(execution).map(result -> new GuardedResult(result, running));
        return new UncancellableCall<>(running, this::start, this::refusal, results, GuardedResult::discard);
    }

    <T> Mono<T> call(Supplier<? extends Publisher<T>> call) {
        return Mono.fromDirect(
                new UncancellableCall<>(running, this::start, this::refusal, Flux.defer(call), dropped -> {}));
    }

    private boolean start(Object call) {
        return !closed && running.start(call);
    }

    private WorkException refusal() {
        return closed
                ? new WorkException(
                        "The connection was closed. Ask " + level.transaction().name() + " for another one")
                : running.refusal();
    }

    private void checkOpen() {
        if (closed) {
            throw refusal();
        }
        running.checkOpen();
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
        return wanted == null || wanted.equals(getTransactionIsolationLevel())
                ? beginTransaction()
                : refuseIsolation(wanted);
    }

    private Publisher<Void> refuseIsolation(IsolationLevel wanted) {
        return refuse("Isolation " + wanted.asSql(), "set it by UnitOfWork.isolation(…)");
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
                checkOpen();
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

    /* What was begun on it and not committed is rolled back, as by any connection. The unit's own is closed by the unit. */
    @Override
    public Publisher<Void> close() {
        return Mono.defer(() -> {
            String outermost = popAll();
            Mono<Void> rollback = outermost == null
                    ? Mono.empty()
                    : call(() -> level.transaction().rollBackTo(connection, outermost))
                            .onErrorResume(WorkException.class, ended -> Mono.empty());
            return rollback.doOnTerminate(() -> closed = true);
        });
    }

    private synchronized @Nullable String popAll() {
        String outermost = savepoints.peekLast();
        savepoints.clear();
        return outermost;
    }

    @Override
    public Batch createBatch() {
        checkOpen();
        return new GuardedBatch(connection.createBatch(), this);
    }

    @Override
    public Statement createStatement(String sql) {
        checkOpen();
        return new GuardedStatement(connection.createStatement(sql), this);
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
        SpiArguments.required(name, "name");
        return call(() -> level.transaction().createSavepoint(connection, name));
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        SpiArguments.required(name, "name");
        return call(() -> level.transaction().releaseSavepoint(connection, name));
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        SpiArguments.required(name, "name");
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
        return SpiArguments.required(isolation, "isolation").equals(getTransactionIsolationLevel())
                ? Mono.empty()
                : refuseIsolation(isolation);
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        SpiArguments.required(timeout, "timeout");
        return refuse("A lock timeout", "set it by UnitOfWork.lockWaitTimeout(…)");
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        SpiArguments.required(timeout, "timeout");
        return refuse("A statement timeout", "set it by SqlStatement.timeout(…) or UnitOfWork.timeout(…)");
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return connection.getMetadata();
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        SpiArguments.required(depth, "depth");
        return call(() -> connection.validate(depth)).onErrorReturn(false);
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
