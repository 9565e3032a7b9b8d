package dev.r2dbcengine.internal.pool;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * The state of one pooled connection: its initial session settings, whether it is lent, and whether it may be lent
 * again.
 *
 * <p>As a publisher it completes the release of the connection: reactor-pool passes the connection to the next
 * acquisition within that completion signal, which therefore runs inside the {@link ShutdownGate}.
 */
public final class ConnectionState implements Publisher<Void> {
    private final Connection driver;
    private final ShutdownGate gate;
    private final int generation;
    private final boolean autoCommit;
    private final IsolationLevel isolation;
    private volatile boolean lent;
    private volatile boolean discarded;

    /**
     * Creates the state of a new connection.
     *
     * @param generation the generation of the pool when the driver started to connect
     */
    ConnectionState(Connection driver, ShutdownGate gate, int generation) {
        this.driver = driver;
        this.gate = gate;
        this.generation = generation;
        this.autoCommit = driver.isAutoCommit();
        this.isolation = driver.getTransactionIsolationLevel();
    }

    boolean isLent() {
        return lent;
    }

    void lent() {
        lent = true;
    }

    void released() {
        lent = false;
    }

    /** Returns whether it must not be lent again: it was discarded, or its generation is not the current one. */
    boolean isDiscarded(int current) {
        return discarded || generation != current;
    }

    /** Makes the pool close it on release. */
    void discard() {
        discarded = true;
    }

    /** Returns whether there is nothing for {@link #reset()} to undo. */
    boolean isUnchanged() {
        return autoCommit && driver.isAutoCommit() && hasInitialIsolation();
    }

    /** Also true if autocommit was disabled, which the SPI does not distinguish from a transaction. */
    boolean isInTransaction() {
        return autoCommit && !driver.isAutoCommit();
    }

    private boolean hasInitialIsolation() {
        return isolation.equals(driver.getTransactionIsolationLevel());
    }

    /** Rolls back, then resets autocommit, then the isolation level; in this order, since setting it on H2 commits. */
    Mono<Void> reset() {
        return runIf(() -> !driver.isAutoCommit(), driver::rollbackTransaction)
                .then(runIf(() -> driver.isAutoCommit() != autoCommit, () -> driver.setAutoCommit(autoCommit)))
                .then(runIf(() -> !hasInitialIsolation(), () -> driver.setTransactionIsolationLevel(isolation)));
    }

    private static Mono<Void> runIf(BooleanSupplier condition, Supplier<Publisher<Void>> call) {
        return Mono.defer(() -> condition.getAsBoolean() ? Mono.fromDirect(call.get()) : Mono.empty());
    }

    /** Completes the release. If the pool is shutting down, discards the connection first. */
    @Override
    public void subscribe(Subscriber<? super Void> release) {
        boolean entered = gate.enter();
        if (!entered) {
            discard();
        }
        try {
            Operators.complete(release);
        } finally {
            if (entered) {
                gate.leave();
            }
        }
    }
}
