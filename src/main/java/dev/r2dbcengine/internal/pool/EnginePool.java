package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.EngineStatus;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.internal.url.Setting;
import dev.r2dbcengine.sql.ServerSession;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.pool.PooledRefMetadata;

/** The resources of an open engine: the pool and its physical connections. */
public final class EnginePool {
    private static final Duration FORGOTTEN_CHECK_INTERVAL = Duration.ofMillis(20);

    private final PoolOptions options;
    private final ListenerCalls calls;
    private final Duration closeTimeout;
    private final PhysicalConnections physical;
    private final ShutdownSafePool pool;
    private final PoolMetrics metrics;
    private volatile long idleSince = now();

    public EnginePool(
            EngineUrl url,
            Mono<ConnectionFactory> driver,
            PoolOptions options,
            ListenerCalls calls,
            Duration closeTimeout) {
        this.options = options;
        this.calls = calls;
        this.closeTimeout = closeTimeout;
        ShutdownGate gate = new ShutdownGate();
        this.physical = new PhysicalConnections(
                url.redacted(),
                new DriverConnections(
                        driver, () -> Dialect.ofDriver(url.key().driver()).name(), options.onConnect()),
                gate,
                options.time(Setting.MAX_CREATE_CONNECTION_TIME),
                () -> calls.report(EngineListener::transactionLeftOpen),
                url.key().inMemory() ? this::reportDatabaseLost : null);
        this.pool = new ShutdownSafePool(
                configuration(),
                gate,
                options.time(Setting.MAX_ACQUIRE_TIME),
                options.count(Setting.ACQUIRE_RETRY),
                physical::lent,
                pooled -> new RawConnection(pooled, physical),
                calls::observed);
        this.metrics = pool.getMetrics().orElseThrow();
        calls.report((listener, name) -> listener.poolOpened(name, metrics));
    }

    /** Opens a connection outside the given pool of an engine. */
    public static Mono<Connection> unpooled(ConnectionPool pool) {
        return ((PhysicalConnections) pool.unwrap()).unpooled();
    }

    /** Returns the session of a connection of the given pool, or of one opened outside it. */
    public static Mono<ServerSession> session(ConnectionPool pool, Connection connection) {
        return ((PhysicalConnections) pool.unwrap()).session(connection);
    }

    public ShutdownSafePool pool() {
        return pool;
    }

    public void replaceConnections() {
        physical.discardAll();
    }

    public EngineStatus.Connections connections() {
        return new EngineStatus.Connections(
                metrics.acquiredSize(),
                metrics.idleSize(),
                metrics.pendingAcquireSize(),
                metrics.getMaxAllocatedSize());
    }

    /** Returns whether a connection is acquired, being created or awaited. */
    public boolean inUse() {
        return metrics.allocatedSize() > metrics.idleSize() || metrics.pendingAcquireSize() > 0;
    }

    /** Returns the time of the last release, in milliseconds of the scheduler's clock. */
    public long idleSince() {
        return idleSince;
    }

    public Mono<Void> connect() {
        return options.connectOnOpen() ? physical.holdDatabase().then(warmUp()) : physical.holdDatabase();
    }

    private Mono<Void> warmUp() {
        return Mono.defer(pool::warmup).then(Mono.defer(pool::create)).flatMap(ConnectionRelease::new);
    }

    /**
     * Closes the pool, waits for acquired connections up to the close timeout, then releases an in-memory database.
     *
     * @param onShutdown runs when the pool lends no more connections
     */
    public Mono<Void> close(Runnable onShutdown) {
        return pool.shut().then(Mono.defer(() -> {
            Mono<Void> poolClosed =
                    pool.disposeLater().onErrorResume(this::reportCloseFailure).cache();
            poolClosed.subscribe();
            onShutdown.run();
            return poolClosed
                    .then(Mono.defer(this::awaitClosed))
                    .then(physical.releaseDatabase().onErrorResume(this::reportCloseFailure))
                    .then(Mono.fromRunnable(
                            () -> calls.report((listener, name) -> listener.poolClosed(name, metrics))));
        }));
    }

    private Mono<Void> awaitClosed() {
        return Mono.firstWithSignal(physical.awaitClosed(), closeForgottenRepeatedly())
                .timeout(
                        closeTimeout,
                        Mono.fromRunnable(() -> calls.report(
                                (listener, name) -> listener.connectionsNotReturned(name, physical.openCount()))));
    }

    /**
     * Never completes, since a connection may be forgotten at any time; see {@link PhysicalConnections#closeForgotten}.
     */
    private Mono<Void> closeForgottenRepeatedly() {
        return Mono.delay(FORGOTTEN_CHECK_INTERVAL)
                .then(Mono.defer(() -> pool.hasNoPendingAcquisition() ? physical.closeForgotten() : Mono.empty()))
                .repeat()
                .then();
    }

    private void reportDatabaseLost() {
        calls.report(EngineListener::databaseLost);
    }

    private Mono<Void> reportCloseFailure(Throwable error) {
        return Mono.fromRunnable(() -> calls.report((listener, name) -> listener.closeFailed(name, error)));
    }

    private Publisher<Void> released(Connection connection) {
        idleSince = now();
        return physical.restore(connection);
    }

    private static long now() {
        return Schedulers.parallel().now(TimeUnit.MILLISECONDS);
    }

    private ConnectionPoolConfiguration configuration() {
        return ConnectionPoolConfiguration.builder(physical)
                .initialSize(options.count(Setting.INITIAL_SIZE))
                .minIdle(options.count(Setting.MIN_IDLE))
                .maxSize(options.count(Setting.MAX_SIZE))
                .acquireRetry(0)
                .maxValidationTime(validationTime())
                .backgroundEvictionInterval(options.time(Setting.BACKGROUND_EVICTION_INTERVAL))
                .validationDepth((ValidationDepth) options.value(Setting.VALIDATION_DEPTH))
                .validationQuery((String) options.value(Setting.VALIDATION_QUERY))
                .clock(options.clock())
                // preRelease and not releaseHandler: a pool that was shut down skips its release handler.
                .preRelease(this::released)
                // ConnectionAttempt limits the time to connect and switches threads.
                .allocatorSubscribeOn(Schedulers.immediate())
                .customizer(builder -> builder.destroyHandler(physical::close)
                        .releaseHandler(physical::completeRelease)
                        .evictionPredicate(this::shouldEvict))
                .build();
    }

    /** Called by reactor-pool at each acquisition, each release and each background eviction. */
    private boolean shouldEvict(Connection connection, PooledRefMetadata life) {
        return exceedsIdleTime(life)
                || exceeds(life.lifeTime(), Setting.MAX_LIFE_TIME)
                || physical.isDiscarded(connection)
                || PhysicalConnections.isKnownToBeLost(connection);
    }

    private boolean exceedsIdleTime(PooledRefMetadata life) {
        return exceeds(life.idleTime(), Setting.MAX_IDLE_TIME)
                && metrics.allocatedSize() > options.count(Setting.MIN_IDLE);
    }

    private boolean exceeds(long milliseconds, Setting limit) {
        Duration time = options.time(limit);
        return !time.isZero() && milliseconds >= time.toMillis();
    }

    /** No timeout for local validation, since r2dbc-pool would start a timer for each acquisition. */
    private Duration validationTime() {
        Duration limit = options.time(Setting.MAX_VALIDATION_TIME);
        return limit.isZero() || !validatesRemotely() ? ConnectionPoolConfiguration.NO_TIMEOUT : limit;
    }

    private boolean validatesRemotely() {
        return options.value(Setting.VALIDATION_DEPTH) == ValidationDepth.REMOTE
                || !options.value(Setting.VALIDATION_QUERY).equals("");
    }
}
