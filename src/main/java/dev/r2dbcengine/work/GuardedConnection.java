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
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The connection of a scope, for code that is unaware of the unit. A transaction that such code begins is a savepoint. The
 * connection rejects calls that would end the unit's own transaction or outlive it on the session, and every call after the
 * end of the scope.
 */
final class GuardedConnection implements Connection, Wrapped<Connection> {

    private final Connection connection;
    private final TransactionScope scope;
    private final InFlightCalls calls;
    private final Deque<String> savepoints = new ArrayDeque<>();
    private volatile boolean closed;

    GuardedConnection(Connection connection, TransactionScope scope) {
        this.connection = connection;
        this.scope = scope;
        this.calls = scope.calls();
    }

    static Mono<Connection> of(TransactionScope scope) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Connection> actual) {
                StatementOperation<Connection> operation = new StatementOperation<>(
                        scope, connection -> Mono.just(new GuardedConnection(connection, scope)), actual);
                actual.onSubscribe(operation);
                scope.enter(operation);
            }
        };
    }

    Publisher<? extends Result> results(Publisher<? extends Result> execution) {
        Flux<GuardedResult> results = Flux.from(execution).map(result -> new GuardedResult(result, calls));
        return new UncancellableCall<>(calls, this::start, this::refusal, results, GuardedResult::discard);
    }

    <T> Mono<T> call(Supplier<? extends Publisher<T>> call) {
        return Mono.fromDirect(
                new UncancellableCall<>(calls, this::start, this::refusal, Flux.defer(call), discarded -> {}));
    }

    private boolean start(Object call) {
        return !closed && calls.start(call);
    }

    private WorkException refusal() {
        return closed
                ? new WorkException(
                        "The connection was closed. Ask " + scope.transaction().name() + " for another one")
                : calls.refusal();
    }

    private void checkOpen() {
        if (closed) {
            throw refusal();
        }
        calls.checkOpen();
    }

    private <T> Publisher<T> refuse(String what, String instead) {
        return Mono.error(() -> new WorkException(
                what + " is not for a connection that " + scope.transaction().name() + " owns: " + instead));
    }

    @Override
    public Publisher<Void> beginTransaction() {
        return call(() -> {
            String name = scope.transaction().nextSavepoint();
            return Mono.fromDirect(scope.transaction().createSavepoint(connection, name))
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
                    : Mono.fromDirect(call(() -> scope.transaction().releaseSavepoint(connection, name)))
                            .doOnError(e -> push(name));
        });
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return Mono.defer(() -> {
            String name = pop();
            if (name == null) {
                checkOpen();
                scope.checkOpen();
                scope.demandRollback(false, null);
                return Mono.empty();
            }
            return Mono.fromDirect(call(() -> scope.transaction().rollBackTo(connection, name)));
        });
    }

    synchronized boolean hasTransaction() {
        return !savepoints.isEmpty();
    }

    private synchronized void push(String savepoint) {
        savepoints.push(savepoint);
    }

    private synchronized @Nullable String pop() {
        return savepoints.poll();
    }

    /* Rolls back a transaction that was begun on it, as closing any connection does. The unit keeps the connection. */
    @Override
    public Publisher<Void> close() {
        return Mono.defer(() -> {
            String outermost = popAll();
            Mono<Void> rollback = outermost == null
                    ? Mono.empty()
                    : call(() -> scope.transaction().rollBackTo(connection, outermost))
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
        return call(() -> scope.transaction().createSavepoint(connection, name));
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        SpiArguments.required(name, "name");
        return call(() -> scope.transaction().releaseSavepoint(connection, name));
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        SpiArguments.required(name, "name");
        return call(() -> scope.transaction().rollBackTo(connection, name));
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
        IsolationLevel own = scope.transaction().settings().isolation;
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

    /** Returns the driver's connection. Calls on it bypass the guard. */
    @Override
    public Connection unwrap() {
        return connection;
    }

    @Override
    public String toString() {
        return "Connection of " + scope.transaction().name();
    }
}
