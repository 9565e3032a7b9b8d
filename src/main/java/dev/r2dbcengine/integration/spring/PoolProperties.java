package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.EngineSettings;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a pool, as {@code r2dbc-engine.pool} and, where the names are the same, {@code spring.r2dbc.pool} tell
 * them.
 *
 * @param initialSize Connections that are opened with the engine. Unless set, 0.
 * @param minIdle Connections that stay open past max-idle-time. Unless set, 0.
 * @param maxSize The most connections at a time. Unless set, 10.
 * @param maxIdleTime Time without a borrower after which a connection is closed. Unless set, 30 minutes. Zero: they stay.
 * @param maxLifeTime Time after which a connection is closed when it is given back. Zero, as unless set, is no limit.
 * @param maxAcquireTime How long a borrower waits. Unless set, 30 seconds. Zero is no limit.
 * @param maxCreateConnectionTime How long the driver may take to connect. Unless set, 10 seconds. Zero is no limit.
 * @param maxValidationTime How long a validation may take. Unless set, 10 seconds. Zero is no limit.
 * @param backgroundEvictionInterval How often idle connections are looked through. Unless set, 1 minute. Zero: only when
 *     somebody borrows.
 * @param acquireRetry How often a failed borrow is tried again. Unless set, 0.
 * @param validationQuery Statement that proves a connection before each borrow.
 * @param validationDepth Whether a connection is proved by a look at it or by a round trip. Unless set, local.
 * @param onConnect Statements that each connection runs before anybody gets it.
 * @param connectOnOpen Whether opening the engine connects. Unless set, true.
 */
record PoolProperties(
        @Nullable Integer initialSize,
        @Nullable Integer minIdle,
        @Nullable Integer maxSize,
        @Nullable Duration maxIdleTime,
        @Nullable Duration maxLifeTime,
        @Nullable Duration maxAcquireTime,
        @Nullable Duration maxCreateConnectionTime,
        @Nullable Duration maxValidationTime,
        @Nullable Duration backgroundEvictionInterval,
        @Nullable Integer acquireRetry,
        @Nullable String validationQuery,
        @Nullable ValidationDepth validationDepth,
        @Nullable List<String> onConnect,
        @Nullable Boolean connectOnOpen) {

    /** Of Spring's, a time below zero has no limit; that is zero here. */
    EngineSettings over(PoolProperties spring) {
        EngineSettings.Builder builder = EngineSettings.builder();
        set(spring, PoolProperties::initialSize, builder::initialSize);
        set(spring, PoolProperties::minIdle, builder::minIdle);
        set(spring, PoolProperties::maxSize, builder::maxSize);
        time(spring, PoolProperties::maxIdleTime, builder::maxIdleTime);
        time(spring, PoolProperties::maxLifeTime, builder::maxLifeTime);
        time(spring, PoolProperties::maxAcquireTime, builder::maxAcquireTime);
        time(spring, PoolProperties::maxCreateConnectionTime, builder::maxCreateConnectionTime);
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
