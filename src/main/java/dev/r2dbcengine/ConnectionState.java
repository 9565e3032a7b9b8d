package dev.r2dbcengine;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * The state of one connection of a pool: how its session was at the beginning, whether a borrower has it, and whether it may
 * be lent again. As a publisher it is the end of its release: reactor-pool hands the connection on, and drains its queue,
 * within the completion.
 */
final class ConnectionState implements Publisher<Void> {
    private final Connection driver;
    private final ShutdownGate gate;
    private final int generation;
    private final boolean autoCommit;
    private final IsolationLevel isolation;
    private volatile boolean lent;
    private volatile boolean discarded;

    /**
     * The state of a new connection.
     *
     * @param generation of the pool when the driver began to connect
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

    /** It must not be lent again: it is discarded, or of an earlier generation than this. */
    boolean isDiscarded(int current) {
        return discarded || generation != current;
    }

    /** The pool closes it at its release. */
    void discard() {
        discarded = true;
    }

    /** Its borrower has left nothing that {@link #putBack()} undoes. */
    boolean isUnchanged() {
        return autoCommit && driver.isAutoCommit() && hasInitialIsolation();
    }

    /** Or autocommit was switched off, of which the SPI makes no difference. */
    boolean isInTransaction() {
        return autoCommit && !driver.isAutoCommit();
    }

    private boolean hasInitialIsolation() {
        return isolation.equals(driver.getTransactionIsolationLevel());
    }

    /** Undoes an open transaction, autocommit, the isolation level; this last, since to set it on H2 is to commit. */
    Mono<Void> reset() {
        return runIf(() -> !driver.isAutoCommit(), driver::rollbackTransaction)
                .then(runIf(() -> driver.isAutoCommit() != autoCommit, () -> driver.setAutoCommit(autoCommit)))
                .then(runIf(() -> !hasInitialIsolation(), () -> driver.setTransactionIsolationLevel(isolation)));
    }

    private static Mono<Void> runIf(BooleanSupplier condition, Supplier<Publisher<Void>> call) {
        return Mono.defer(() -> condition.getAsBoolean() ? Mono.fromDirect(call.get()) : Mono.empty());
    }

    /** Where the pool is being shut down, the connection is not handed on. */
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
