package dev.r2dbcengine;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What an open engine consists of: the pool, the connections under it and, of an in-memory database, its keeper. */
final class EnginePool {
    private final ConnectionPool pool;
    private final PhysicalConnections physical;
    private final EngineSettings settings;
    private final @Nullable Keeper keeper;

    EnginePool(EngineUrl url, ConnectionFactory driver, EngineSettings settings) {
        this.settings = settings;
        this.physical =
                new PhysicalConnections(url.redacted(), driver, settings.time(Setting.MAX_CREATE_CONNECTION_TIME));
        this.pool = new ConnectionPool(configuration());
        this.keeper = url.key().inMemory() ? new Keeper(physical.unpooled()) : null;
    }

    ConnectionPool pool() {
        return pool;
    }

    EngineStatus.Connections connections() {
        return pool.getMetrics().map(EngineStatus.Connections::of).orElse(EngineStatus.Connections.NONE);
    }

    /** A new connection outside the pool of an engine. */
    static Mono<Connection> unpooled(ConnectionPool pool) {
        return ((PhysicalConnections) pool.unwrap()).unpooled();
    }

    Mono<Void> connect() {
        Mono<Void> held = keeper == null ? Mono.empty() : keeper.hold();
        return settings.connectOnOpen() ? held.then(warmUp()) : held;
    }

    private Mono<Void> warmUp() {
        return Mono.defer(pool::warmup)
                .then(Mono.defer(pool::create))
                .flatMap(connection -> Mono.<Void>from(connection.close()));
    }

    /**
     * Closes the pool, waits for what is borrowed from it, lets the database go.
     *
     * @param shut runs when the pool hands out nothing more
     * @param limit how long to wait for borrowed connections
     */
    Mono<Void> close(Runnable shut, Duration limit, String url, EngineListener listener) {
        return Mono.defer(() -> {
            Consumer<Throwable> failed = error -> listener.closeFailed(url, error);
            Mono<Void> idleClosed = pool.disposeLater()
                    .onErrorResume(error -> Mono.fromRunnable(() -> failed.accept(error)))
                    .cache();
            idleClosed.subscribe();
            shut.run();
            return idleClosed
                    .then(allClosed(limit, url, listener))
                    .then(keeper == null ? Mono.empty() : release(keeper, url, listener))
                    .onErrorResume(error -> Mono.fromRunnable(() -> failed.accept(error)));
        });
    }

    private Mono<Void> allClosed(Duration limit, String url, EngineListener listener) {
        return physical.allClosed()
                .timeout(limit, Mono.fromRunnable(() -> listener.connectionsLeft(url, physical.left())));
    }

    private static Mono<Void> release(Keeper keeper, String url, EngineListener listener) {
        return keeper.release()
                .doOnNext(alive -> {
                    if (!alive) {
                        listener.databaseLost(url);
                    }
                })
                .then();
    }

    private ConnectionPoolConfiguration configuration() {
        ConnectionPoolConfiguration.Builder builder = ConnectionPoolConfiguration.builder(physical)
                .initialSize(settings.count(Setting.INITIAL_SIZE))
                .minIdle(settings.count(Setting.MIN_IDLE))
                .maxSize(settings.count(Setting.MAX_SIZE))
                .acquireRetry(settings.count(Setting.ACQUIRE_RETRY))
                .maxIdleTime(limit(Setting.MAX_IDLE_TIME))
                .maxLifeTime(limit(Setting.MAX_LIFE_TIME))
                .maxAcquireTime(limit(Setting.MAX_ACQUIRE_TIME))
                .maxValidationTime(limit(Setting.MAX_VALIDATION_TIME))
                .backgroundEvictionInterval(settings.time(Setting.BACKGROUND_EVICTION_INTERVAL))
                .validationDepth((ValidationDepth) settings.value(Setting.VALIDATION_DEPTH))
                .validationQuery((String) settings.value(Setting.VALIDATION_QUERY))
                .clock(settings.clock())
                // The time to connect is limited, and the thread changed, under the pool: see ConnectionArrival.
                .allocatorSubscribeOn(Schedulers.immediate())
                .customizer(pool -> pool.destroyHandler(physical::close));
        return builder.build();
    }

    /** What is zero here is negative there. */
    private Duration limit(Setting setting) {
        Duration time = settings.time(setting);
        return time.isZero() ? ConnectionPoolConfiguration.NO_TIMEOUT : time;
    }

    static boolean inUse(PoolMetrics metrics) {
        return metrics.allocatedSize() > metrics.idleSize() || metrics.pendingAcquireSize() > 0;
    }
}
