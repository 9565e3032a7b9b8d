package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.EngineSettings;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The properties {@code r2dbc-engine.pool} and those of {@code spring.r2dbc.pool} with the same names.
 *
 * @param initialSize Number of connections that are opened with the engine. Default: 0.
 * @param minIdle Number of connections that stay open past max-idle-time. Default: 0.
 * @param maxSize Maximum number of connections. Default: 10.
 * @param maxIdleTime Idle time after which a connection is closed. Default: 30 minutes. Zero: no limit.
 * @param maxLifeTime Age at which a connection is closed when it is released. Default: zero, no limit.
 * @param maxAcquireTime Maximum time to acquire a connection. Default: 30 seconds. Zero: no limit.
 * @param maxCreateConnectionTime Maximum time for the driver to connect. Default: 10 seconds. Zero: no limit.
 * @param hostTimeout Maximum time for one of several hosts to connect. Default: 2 seconds. Zero: no limit.
 * @param hostRetryInterval Time for which a host that failed is tried last. Default: 10 seconds. Zero: hosts are tried in
 *     their order each time.
 * @param maxValidationTime Maximum time of a validation. Default: 10 seconds. Zero: no limit.
 * @param backgroundEvictionInterval Interval of the check of idle connections. Default: 1 minute. Zero: they are
 *     checked only on acquisition.
 * @param acquireRetry Number of retries of a failed acquisition. Default: 0.
 * @param validationQuery Statement that validates a connection before each acquisition.
 * @param validationDepth Whether a validation is local or does a round trip (remote). Default: local.
 * @param onConnect Statements that run on each new connection before its first use.
 * @param connectOnOpen Whether opening the engine connects to the database. Default: true.
 */
record PoolProperties(
        @Nullable Integer initialSize,
        @Nullable Integer minIdle,
        @Nullable Integer maxSize,
        @Nullable Duration maxIdleTime,
        @Nullable Duration maxLifeTime,
        @Nullable Duration maxAcquireTime,
        @Nullable Duration maxCreateConnectionTime,
        @Nullable Duration hostTimeout,
        @Nullable Duration hostRetryInterval,
        @Nullable Duration maxValidationTime,
        @Nullable Duration backgroundEvictionInterval,
        @Nullable Integer acquireRetry,
        @Nullable String validationQuery,
        @Nullable ValidationDepth validationDepth,
        @Nullable List<String> onConnect,
        @Nullable Boolean connectOnOpen) {

    /**
     * Returns these settings with those of Spring as defaults. Spring's negative durations, which mean no limit, become
     * zero.
     */
    EngineSettings over(PoolProperties spring) {
        EngineSettings.Builder builder = EngineSettings.builder();
        set(spring, PoolProperties::initialSize, builder::initialSize);
        set(spring, PoolProperties::minIdle, builder::minIdle);
        set(spring, PoolProperties::maxSize, builder::maxSize);
        time(spring, PoolProperties::maxIdleTime, builder::maxIdleTime);
        time(spring, PoolProperties::maxLifeTime, builder::maxLifeTime);
        time(spring, PoolProperties::maxAcquireTime, builder::maxAcquireTime);
        time(spring, PoolProperties::maxCreateConnectionTime, builder::maxCreateConnectionTime);
        time(spring, PoolProperties::hostTimeout, builder::hostTimeout);
        time(spring, PoolProperties::hostRetryInterval, builder::hostRetryInterval);
        time(spring, PoolProperties::maxValidationTime, builder::maxValidationTime);
        time(spring, PoolProperties::backgroundEvictionInterval, builder::backgroundEvictionInterval);
        set(spring, PoolProperties::acquireRetry, builder::acquireRetry);
        set(spring, PoolProperties::validationQuery, builder::validationQuery);
        set(spring, PoolProperties::validationDepth, builder::validationDepth);
        set(spring, PoolProperties::onConnect, sql -> builder.onConnect(sql.toArray(String[]::new)));
        set(spring, PoolProperties::connectOnOpen, builder::connectOnOpen);
        return builder.build();
    }

    private <T> void set(PoolProperties spring, Function<PoolProperties, @Nullable T> property, Consumer<T> setting) {
        T ours = property.apply(this);
        T value = ours == null ? property.apply(spring) : ours;
        if (value != null) {
            setting.accept(value);
        }
    }

    private void time(
            PoolProperties spring, Function<PoolProperties, @Nullable Duration> property, Consumer<Duration> setting) {
        boolean ours = property.apply(this) != null;
        set(spring, property, time -> setting.accept(!ours && time.isNegative() ? Duration.ZERO : time));
    }
}
