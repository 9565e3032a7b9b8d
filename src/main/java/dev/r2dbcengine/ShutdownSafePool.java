package dev.r2dbcengine;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.pool.PoolShutdownException;

/**
 * A pool that is shut down between two calls of reactor-pool, and not within one. reactor-pool forgets a subscriber that saw
 * an open pool and joins its queue when that has been emptied for good: it would never be answered. And it closes a
 * connection that it has handed on from a release, if it finds the pool shut down at the end of that release. So each
 * request and each release passes a {@link ShutdownGate}.
 */
final class ShutdownSafePool extends ConnectionPool {
    /** A subscriber that blocks within a call for longer, perhaps for this very shutdown, is not waited for. */
    private static final Duration MAX_CALL_TIME = Duration.ofSeconds(10);

    private final ShutdownGate gate;
    private final Duration timeout;
    private final int retries;
    private final Consumer<Connection> onLent;
    private final UnaryOperator<CoreSubscriber<? super Connection>> observer;

    /** How many have asked and were not answered yet. */
    private final AtomicInteger pending = new AtomicInteger();

    private final Mono<Connection> pooled;
    private final Mono<Connection> create;

    /**
     * A pool.
     *
     * @param configuration without the limit and the tries, which are not its own: r2dbc-pool starts a timer for each
     *     borrow; its release handler passes the same gate
     * @param limit for one to be borrowed; zero: none
     * @param tries how often to try again after an error; zero: never
     * @param lent is told of each connection of the driver before its borrower gets it
     * @param raw wraps what {@link #create()} lends
     * @param watch puts who is told of each try before the borrower
     */
    ShutdownSafePool(
            ConnectionPoolConfiguration configuration,
            ShutdownGate gate,
            Duration timeout,
            int retries,
            Consumer<Connection> onLent,
            UnaryOperator<Connection> raw,
            UnaryOperator<CoreSubscriber<? super Connection>> observer) {
        super(configuration);
        this.gate = gate;
        this.timeout = timeout;
        this.retries = retries;
        this.onLent = onLent;
        this.observer = observer;
        Mono<Connection> attempt = new AcquireOnce();
        this.pooled = retries > 0 ? attempt.retry(retries) : attempt;
        this.create = pooled.map(raw);
    }

    @Override
    public Mono<Connection> create() {
        return create;
    }

    /** Acquires a connection for the engine itself, which undoes its own settings; from elsewhere if this pool is shut. */
    void acquire(CoreSubscriber<? super Connection> subscriber, Mono<Connection> fallback) {
        if (retries > 0) {
            pooled.onErrorResume(PoolShutdownException.class, e -> fallback).subscribe(subscriber);
        } else {
            acquireOnce(subscriber, fallback);
        }
    }

    private void acquireOnce(CoreSubscriber<? super Connection> subscriber, @Nullable Mono<Connection> fallback) {
        super.create().subscribe(new Acquisition(this, timeout, observer.apply(subscriber), fallback));
    }

    private final class AcquireOnce extends Mono<Connection> {
        @Override
        public void subscribe(CoreSubscriber<? super Connection> subscriber) {
            acquireOnce(subscriber, null);
        }
    }

    /**
     * To ask is to step up: it is with the request that reactor-pool learns of a borrower.
     *
     * @return false: the pool is shut, and nothing was asked
     */
    boolean request(Subscription pooled, long n) {
        if (!gate.enter()) {
            return false;
        }
        try {
            pooled.request(n);
        } finally {
            gate.leave();
        }
        return true;
    }

    void acquisitionStarted() {
        pending.incrementAndGet();
    }

    void acquisitionEnded() {
        pending.decrementAndGet();
    }

    /** Nobody is on the way to a connection. */
    boolean hasNoPendingAcquisition() {
        return pending.get() == 0;
    }

    void lent(Connection connection) {
        Connection driver = underPool(connection);
        if (driver != null) {
            onLent.accept(driver);
        }
    }

    /** What a pool has handed out as that; null: it is none of a pool's. */
    static @Nullable Connection underPool(Connection pooled) {
        return pooled instanceof Wrapped<?> wrapped && wrapped.unwrap() instanceof Connection driver ? driver : null;
    }

    /** Whether requests are still admitted. */
    boolean isOpen() {
        return !gate.isShut();
    }

    /** Refuses later requests; completes when no request and no release is in progress. */
    Mono<Void> shut() {
        return gate.shut().timeout(MAX_CALL_TIME, Mono.empty());
    }

    @Override
    public Mono<Void> disposeLater() {
        return shut().then(Mono.defer(super::disposeLater));
    }
}
