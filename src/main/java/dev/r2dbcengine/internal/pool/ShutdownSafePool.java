package dev.r2dbcengine.internal.pool;

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
 * A pool whose shutdown does not overlap with calls into reactor-pool, which has two races there. A subscriber that saw
 * an open pool but joins its queue after the shutdown has drained it never gets a signal. And if the pool is shut down
 * while a release passes its connection to the next acquisition, the connection is closed although it is in use.
 * Therefore each request and each release passes a {@link ShutdownGate}.
 */
public final class ShutdownSafePool extends ConnectionPool {
    /** The shutdown does not wait longer for a call, since a subscriber may block in it, even for this shutdown. */
    private static final Duration MAX_CALL_TIME = Duration.ofSeconds(10);

    private final ShutdownGate gate;
    private final Duration timeout;
    private final int retries;
    private final Consumer<Connection> onLent;
    private final UnaryOperator<CoreSubscriber<? super Connection>> observer;

    /** The number of acquisitions that were requested and have not terminated. */
    private final AtomicInteger pending = new AtomicInteger();

    private final Mono<Connection> pooled;
    private final Mono<Connection> create;

    /**
     * Creates a pool.
     *
     * @param configuration must not contain an acquire timeout, for which r2dbc-pool starts a timer at each
     *     acquisition, or retries; its release handler must pass the same gate
     * @param timeout the acquire timeout; zero means no limit
     * @param retries how often to retry a failed acquisition; zero disables retries
     * @param onLent called with the driver's connection before the subscriber gets the pooled one
     * @param raw wraps the connections of {@link #create()}
     * @param observer wraps the subscriber of each attempt, to report its outcome
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

    /** Acquires a connection for this library, without the wrapper; from the fallback if this pool is shut down. */
    public void acquire(CoreSubscriber<? super Connection> subscriber, Mono<Connection> fallback) {
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
     * Passes a request to reactor-pool, which queues a subscriber on its request and not on its subscription.
     *
     * @return false if the pool is shut down and nothing was requested
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

    /** Returns whether no acquisition is pending. */
    boolean hasNoPendingAcquisition() {
        return pending.get() == 0;
    }

    void lent(Connection connection) {
        Connection driver = underPool(connection);
        if (driver != null) {
            onLent.accept(driver);
        }
    }

    /** Returns the driver's connection of a pooled connection; null if it is not pooled. */
    public static @Nullable Connection underPool(Connection pooled) {
        return pooled instanceof Wrapped<?> wrapped && wrapped.unwrap() instanceof Connection driver ? driver : null;
    }

    /** Returns whether requests are still accepted. */
    public boolean isOpen() {
        return !gate.isShut();
    }

    /** Rejects later requests. Completes when no request and no release is in progress. */
    Mono<Void> shut() {
        return gate.shut().timeout(MAX_CALL_TIME, Mono.empty());
    }

    @Override
    public Mono<Void> disposeLater() {
        return shut().then(Mono.defer(super::disposeLater));
    }
}
