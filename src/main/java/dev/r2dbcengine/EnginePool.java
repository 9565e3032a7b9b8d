package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Dialect;
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

/** What an open engine consists of: the pool, the connections under it and, of an in-memory database, its keeper. */
final class EnginePool {
    private static final Duration FORGOTTEN_CHECK_INTERVAL = Duration.ofMillis(20);

    private final String url;
    private final EngineSettings settings;
    private final CacheConfiguration configuration;
    private final PhysicalConnections physical;
    private final ShutdownSafePool pool;
    private final PoolMetrics metrics;
    private volatile long idleSince = now();

    EnginePool(EngineUrl url, Mono<ConnectionFactory> driver, EngineSettings settings, CacheConfiguration configuration) {
        this.url = url.redacted();
        this.settings = settings;
        this.configuration = configuration;
        ShutdownGate gate = new ShutdownGate();
        this.physical = new PhysicalConnections(
                this.url,
                new DriverConnections(
                        driver, () -> Dialect.ofDriver(url.key().driver()).name(), settings.onConnect()),
                gate,
                settings.time(Setting.MAX_CREATE_CONNECTION_TIME),
                () -> configuration.report(listener -> listener.transactionLeftOpen(this.url)),
                url.key().inMemory() ? this::reportDatabaseLost : null);
        this.pool = new ShutdownSafePool(
                configuration(),
                gate,
                settings.time(Setting.MAX_ACQUIRE_TIME),
                settings.count(Setting.ACQUIRE_RETRY),
                physical::lent,
                pooled -> new RawConnection(pooled, physical),
                subscriber -> configuration.observed(this.url, subscriber));
        this.metrics = pool.getMetrics().orElseThrow();
        configuration.report(listener -> listener.poolOpened(this.url, metrics));
    }

    /** A new connection outside the pool of an engine. */
    static Mono<Connection> unpooled(ConnectionPool pool) {
        return ((PhysicalConnections) pool.unwrap()).unpooled();
    }

    ShutdownSafePool pool() {
        return pool;
    }

    void replaceConnections() {
        physical.discardAll();
    }

    EngineStatus.Connections connections() {
        return EngineStatus.Connections.of(metrics);
    }

    /** Borrowed, on its way to a borrower, or awaited: any of these counts. */
    boolean inUse() {
        return metrics.allocatedSize() > metrics.idleSize() || metrics.pendingAcquireSize() > 0;
    }

    /** When the last connection came back, in milliseconds of the scheduler's clock. */
    long idleSince() {
        return idleSince;
    }

    Mono<Void> connect() {
        return settings.connectOnOpen() ? physical.holdDatabase().then(warmUp()) : physical.holdDatabase();
    }

    private Mono<Void> warmUp() {
        return Mono.defer(pool::warmup).then(Mono.defer(pool::create)).flatMap(ConnectionRelease::new);
    }

    /**
     * Closes the pool, waits for what is borrowed from it, lets the database go.
     *
     * @param shut runs when the pool hands out nothing more
     */
    Mono<Void> close(Runnable onShutdown) {
        return pool.shut().then(Mono.defer(() -> {
            Mono<Void> poolClosed =
                    pool.disposeLater().onErrorResume(this::reportCloseFailure).cache();
            poolClosed.subscribe();
            onShutdown.run();
            return poolClosed
                    .then(Mono.defer(this::awaitClosed))
                    .then(physical.releaseDatabase().onErrorResume(this::reportCloseFailure))
                    .then(Mono.fromRunnable(() -> configuration.report(listener -> listener.poolClosed(url, metrics))));
        }));
    }

    private Mono<Void> awaitClosed() {
        return Mono.firstWithSignal(physical.awaitClosed(), closeForgottenRepeatedly())
                .timeout(
                        configuration.closeTimeout(),
                        Mono.fromRunnable(
                                () -> configuration.report(listener -> listener.connectionsNotReturned(url, physical.openCount()))));
    }

    /** Does not end: a forgotten one may show at any time. */
    private Mono<Void> closeForgottenRepeatedly() {
        return Mono.delay(FORGOTTEN_CHECK_INTERVAL)
                .then(Mono.defer(() -> pool.hasNoPendingAcquisition() ? physical.closeForgotten() : Mono.empty()))
                .repeat()
                .then();
    }

    private void reportDatabaseLost() {
        configuration.report(listener -> listener.databaseLost(url));
    }

    private Mono<Void> reportCloseFailure(Throwable error) {
        return Mono.fromRunnable(() -> configuration.report(listener -> listener.closeFailed(url, error)));
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
                .initialSize(settings.count(Setting.INITIAL_SIZE))
                .minIdle(settings.count(Setting.MIN_IDLE))
                .maxSize(settings.count(Setting.MAX_SIZE))
                .acquireRetry(0)
                .maxValidationTime(validationTime())
                .backgroundEvictionInterval(settings.time(Setting.BACKGROUND_EVICTION_INTERVAL))
                .validationDepth((ValidationDepth) settings.value(Setting.VALIDATION_DEPTH))
                .validationQuery((String) settings.value(Setting.VALIDATION_QUERY))
                .clock(settings.clock())
                // A pool that was shut down does not call its release handler.
                .preRelease(this::released)
                // The time to connect is limited, and the thread changed, under the pool: see ConnectionAttempt.
                .allocatorSubscribeOn(Schedulers.immediate())
                .customizer(builder -> builder.destroyHandler(physical::close)
                        .releaseHandler(physical::completeRelease)
                        .evictionPredicate(this::shouldEvict))
                .build();
    }

    /** Asked at each borrow, at each return, and of idle ones now and then. */
    private boolean shouldEvict(Connection connection, PooledRefMetadata life) {
        return exceedsIdleTime(life)
                || exceeds(life.lifeTime(), Setting.MAX_LIFE_TIME)
                || physical.isDiscarded(connection)
                || PhysicalConnections.isKnownToBeLost(connection);
    }

    private boolean exceedsIdleTime(PooledRefMetadata life) {
        return exceeds(life.idleTime(), Setting.MAX_IDLE_TIME)
                && metrics.allocatedSize() > settings.count(Setting.MIN_IDLE);
    }

    private boolean exceeds(long milliseconds, Setting limit) {
        Duration time = settings.time(limit);
        return !time.isZero() && milliseconds >= time.toMillis();
    }

    /** None where nobody is asked: r2dbc-pool would start a timer for each borrow. What is zero here is negative there. */
    private Duration validationTime() {
        Duration limit = settings.time(Setting.MAX_VALIDATION_TIME);
        return limit.isZero() || !validatesRemotely() ? ConnectionPoolConfiguration.NO_TIMEOUT : limit;
    }

    private boolean validatesRemotely() {
        return settings.value(Setting.VALIDATION_DEPTH) == ValidationDepth.REMOTE
                || !settings.value(Setting.VALIDATION_QUERY).equals("");
    }
}
