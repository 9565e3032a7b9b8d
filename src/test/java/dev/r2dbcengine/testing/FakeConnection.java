package dev.r2dbcengine.testing;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** A connection of the {@link FakeDriver}. */
final class FakeConnection implements Connection, ConnectionMetadata {
    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final FakeDriver driver;
    private final int number;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final AtomicReference<@Nullable FakeUse> use = new AtomicReference<>();
    private volatile boolean autoCommit = true;
    private volatile IsolationLevel isolation = IsolationLevel.READ_COMMITTED;

    FakeConnection(FakeDriver driver, int number) {
        this.driver = driver;
        this.number = number;
        driver.log().opened();
    }

    int number() {
        return number;
    }

    @Override
    public Publisher<Void> beginTransaction() {
        return call(Call.BEGIN, "", () -> autoCommit = false);
    }

    @Override
    public Publisher<Void> beginTransaction(TransactionDefinition definition) {
        return call(Call.BEGIN, text(definition), () -> autoCommit = false);
    }

    private static String text(TransactionDefinition definition) {
        StringJoiner text = new StringJoiner(" ");
        for (Option<?> attribute : List.of(
                TransactionDefinition.ISOLATION_LEVEL,
                TransactionDefinition.READ_ONLY,
                TransactionDefinition.NAME,
                TransactionDefinition.LOCK_WAIT_TIMEOUT)) {
            Object value = definition.getAttribute(attribute);
            if (value != null) {
                text.add(attribute.name() + "=" + (value instanceof IsolationLevel level ? level.asSql() : value));
            }
        }
        return text.toString();
    }

    @Override
    public Publisher<Void> commitTransaction() {
        return call(Call.COMMIT, "", () -> autoCommit = true);
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return call(Call.ROLLBACK, "", () -> autoCommit = true);
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
        return call(Call.SAVEPOINT, name, () -> autoCommit = false);
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        return call(Call.RELEASE_SAVEPOINT, name);
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        return call(Call.ROLLBACK_TO_SAVEPOINT, name);
    }

    @Override
    public boolean isAutoCommit() {
        return autoCommit;
    }

    @Override
    public Publisher<Void> setAutoCommit(boolean value) {
        return call(Call.SET_AUTOCOMMIT, String.valueOf(value), () -> autoCommit = value);
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
        return isolation;
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel level) {
        return call(Call.SET_ISOLATION, level.asSql(), () -> isolation = level);
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        return call(Call.SET_LOCK_WAIT_TIMEOUT, timeout.toString());
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        return call(Call.SET_STATEMENT_TIMEOUT, timeout.toString());
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        driver.throwIfConfigured(Call.VALIDATE, "");
        String detail = depth == ValidationDepth.REMOTE ? "remote" : "";
        return subscriber ->
                new FakeStep<>(driver, this, subscriber, Call.VALIDATE, detail, List.of(true), () -> {}).start();
    }

    @Override
    public Publisher<Void> close() {
        driver.throwIfConfigured(Call.CLOSE, "");
        return subscriber -> new FakeClose(driver, this, subscriber).start();
    }

    private Publisher<Void> call(Call call, String detail) {
        return call(call, detail, () -> {});
    }

    private Publisher<Void> call(Call call, String detail, Runnable effect) {
        driver.throwIfConfigured(call, detail);
        return subscriber -> new FakeStep<>(driver, this, subscriber, call, detail, List.of(), effect).start();
    }

    @Override
    public Statement createStatement(String sql) {
        driver.throwIfConfigured(Call.PREPARE, sql);
        return new FakeStatement(driver, this, sql);
    }

    @Override
    public Batch createBatch() {
        return new FakeBatch(driver, this);
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return this;
    }

    @Override
    public String getDatabaseProductName() {
        return driver.getName();
    }

    @Override
    public String getDatabaseVersion() {
        return driver.serverVersion();
    }

    /** Begins a use. Returns the error that refuses it, if the connection is closed. */
    @Nullable Throwable enter(FakeUse next) {
        if (state.get() != State.OPEN) {
            violated(next.text() + " after close");
            return closedError();
        }
        take(next);
        return null;
    }

    /** Begins a use in any state. Returns the previous use, or null. */
    @Nullable FakeUse take(FakeUse next) {
        FakeUse other = use.getAndSet(next);
        if (other != null && driver.isQueueing() && !other.isUnread()) {
            next.follow(other);
        } else if (other != null) {
            violated(next.text() + (other.isUnread() ? " after an unread result of " : " during ") + other.text());
        }
        return other;
    }

    /** Begins to read a result. Returns the error that refuses it, if the connection is closed. */
    @Nullable Throwable read(FakeUse reading) {
        if (use.get() != reading && !driver.isQueueing()) {
            violated("reads the result of " + reading.text() + " too late");
        }
        return state.get() == State.CLOSED ? closedError() : null;
    }

    R2dbcException closedError() {
        return new R2dbcNonTransientResourceException("Connection " + number + " is closed");
    }

    void release(FakeUse ended) {
        use.compareAndSet(ended, null);
    }

    void violated(String what) {
        driver.log().violated(number, what);
    }

    /** Closes the connection. Returns false if it was closed before, or is being closed. */
    boolean closing() {
        return state.compareAndSet(State.OPEN, State.CLOSING);
    }

    void closed(boolean successfully) {
        state.set(successfully ? State.CLOSED : State.OPEN);
        if (successfully) {
            driver.log().closed();
        }
    }
}
