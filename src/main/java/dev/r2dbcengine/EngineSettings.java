package dev.r2dbcengine;

import dev.r2dbcengine.internal.pool.PoolOptions;
import dev.r2dbcengine.internal.url.Setting;
import io.r2dbc.spi.ValidationDepth;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an engine and its pool. Immutable and thread-safe.
 *
 * <p>The settings have the names of r2dbc-pool, in code and in the query of a URL ({@code
 * r2dbc:postgresql://host/shop?maxSize=4&maxAcquireTime=PT5S}). Values in a URL take precedence over values set in
 * code, which take precedence over the defaults below. Settings apply when an engine opens and are not part of its
 * identity: if two URLs of one engine name different values, the second is rejected.
 *
 * <table>
 * <caption>Settings, their defaults and the meaning of zero</caption>
 * <tr><th>setting</th><th>default</th><th>zero</th><th>reason</th></tr>
 * <tr><td>maxSize</td><td>10</td><td>rejected</td><td>default of r2dbc-pool</td></tr>
 * <tr><td>initialSize</td><td>0</td><td>none in advance</td><td>opening already checks one connection</td></tr>
 * <tr><td>minIdle</td><td>0</td><td>none kept</td><td>default of r2dbc-pool</td></tr>
 * <tr><td>maxIdleTime</td><td>30 min</td><td>idle connections stay</td><td>default of r2dbc-pool</td></tr>
 * <tr><td>maxLifeTime</td><td>0</td><td>no limit</td><td>default of r2dbc-pool</td></tr>
 * <tr><td>maxAcquireTime</td><td>30 s</td><td>no limit</td>
 *     <td>an exhausted pool becomes an error instead of a request that hangs</td></tr>
 * <tr><td>maxCreateConnectionTime</td><td>10 s</td><td>no limit</td>
 *     <td>a host that never answers fails well before the acquisition times out</td></tr>
 * <tr><td>hostTimeout</td><td>2 s</td><td>no limit</td>
 *     <td>with several hosts: a host that never answers delays a connection, and does not prevent it</td></tr>
 * <tr><td>hostRetryInterval</td><td>10 s</td><td>each time in the order of the URL</td>
 *     <td>with several hosts: a host that failed delays few connections</td></tr>
 * <tr><td>maxValidationTime</td><td>10 s</td><td>no limit</td>
 *     <td>as for creation; has no effect with depth LOCAL and no query, which make no round trip</td></tr>
 * <tr><td>backgroundEvictionInterval</td><td>1 min</td><td>evicts only at the next acquisition</td>
 *     <td>idle connections are closed soon after their time</td></tr>
 * <tr><td>acquireRetry</td><td>0</td><td>no retry</td>
 *     <td>a retry doubles the acquire time and calls a failing driver twice; idle connections that the driver knows
 *     to be closed are never lent</td></tr>
 * <tr><td>validationDepth</td><td>LOCAL</td><td></td><td>no round trip for each acquisition</td></tr>
 * <tr><td>validationQuery</td><td>none</td><td></td><td>validation by depth</td></tr>
 * <tr><td>onConnect</td><td>nothing</td><td></td><td>sessions as the driver creates them</td></tr>
 * <tr><td>connectOnOpen</td><td>true</td><td></td><td>a wrong URL or password fails the opening</td></tr>
 * </table>
 */
public final class EngineSettings {
    private static final EngineSettings DEFAULTS = builder().build();

    private final PoolOptions options;

    private EngineSettings(PoolOptions options) {
        this.options = options;
    }

    /** {@return the default settings} */
    public static EngineSettings defaults() {
        return DEFAULTS;
    }

    /** {@return a new builder with default settings} */
    public static Builder builder() {
        return new Builder();
    }

    PoolOptions options() {
        return options;
    }

    @Override
    public String toString() {
        return "EngineSettings" + options;
    }

    /** A builder of settings. Each setting may be set once. Not thread-safe. */
    public static final class Builder {
        private final Map<Setting, Object> values = new EnumMap<>(Setting.class);
        private @Nullable List<String> onConnect;
        private @Nullable Boolean connectOnOpen;
        private @Nullable Clock clock;

        private Builder() {}

        /**
         * Sets the number of connections that the pool creates when the engine opens.
         *
         * @param connections from 0 to {@code maxSize} (default: 0)
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder initialSize(int connections) {
            return set(Setting.INITIAL_SIZE, connections);
        }

        /**
         * Sets the number of connections that stay open past {@link #maxIdleTime}. The pool creates missing ones when
         * it creates a connection for an acquisition, not in the background.
         *
         * @param connections from 0 to {@code maxSize} (default: 0)
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder minIdle(int connections) {
            return set(Setting.MIN_IDLE, connections);
        }

        /**
         * Sets the maximum number of open connections of the pool.
         *
         * @param connections 1 or more (default: 10)
         * @return this builder
         * @throws IllegalArgumentException if it is less than 1
         * @throws IllegalStateException if it is already set
         */
        public Builder maxSize(int connections) {
            return set(Setting.MAX_SIZE, connections);
        }

        /**
         * Sets the time after which an idle connection is closed.
         *
         * @param time the time since its release (default: 30 min); zero disables it
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder maxIdleTime(Duration time) {
            return set(Setting.MAX_IDLE_TIME, time);
        }

        /**
         * Sets the maximum lifetime of a connection, after which it is closed at the next acquisition, release or
         * background eviction.
         *
         * @param time the time since its creation (default: zero); zero means no limit
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder maxLifeTime(Duration time) {
            return set(Setting.MAX_LIFE_TIME, time);
        }

        /**
         * Sets how long an acquisition may take before it fails with {@link io.r2dbc.spi.R2dbcTimeoutException}.
         *
         * @param time the timeout (default: 30 s); zero means no limit
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder maxAcquireTime(Duration time) {
            return set(Setting.MAX_ACQUIRE_TIME, time);
        }

        /**
         * Sets how long the driver may take to connect before the attempt fails with {@link
         * io.r2dbc.spi.R2dbcTimeoutException}. A connection that is created later is closed.
         *
         * @param time the timeout (default: 10 s); zero means no limit
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder maxCreateConnectionTime(Duration time) {
            return set(Setting.MAX_CREATE_CONNECTION_TIME, time);
        }

        /**
         * Sets how long one host of a URL with several hosts may take to connect, to log in and to report its role, before
         * the next host is tried. {@code maxCreateConnectionTime} limits all hosts together.
         *
         * @param time the timeout (default: 2 s); zero means no limit
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder hostTimeout(Duration time) {
            return set(Setting.HOST_TIMEOUT, time);
        }

        /**
         * Sets how long a host of a URL with several hosts is tried last after it failed or had another role than the URL
         * asks for.
         *
         * @param time the interval (default: 10 s); zero tries the hosts in the order of the URL each time
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder hostRetryInterval(Duration time) {
            return set(Setting.HOST_RETRY_INTERVAL, time);
        }

        /**
         * Sets how long the validation of a connection may take before the pool discards it.
         *
         * @param time the timeout (default: 10 s); zero means no limit
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder maxValidationTime(Duration time) {
            return set(Setting.MAX_VALIDATION_TIME, time);
        }

        /**
         * Sets how often the pool checks idle connections against {@code maxIdleTime} and {@code maxLifeTime}.
         *
         * @param time the interval (default: 1 min); zero checks only at acquisitions
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder backgroundEvictionInterval(Duration time) {
            return set(Setting.BACKGROUND_EVICTION_INTERVAL, time);
        }

        /**
         * Sets how often a failed acquisition is retried, each time with the full {@code maxAcquireTime}.
         *
         * @param retries the number of retries (default: 0); zero disables retries
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         * @throws IllegalStateException if it is already set
         */
        public Builder acquireRetry(int retries) {
            return set(Setting.ACQUIRE_RETRY, retries);
        }

        /**
         * Sets a statement that validates a connection before each acquisition, instead of the driver's own validation.
         * A connection that fails is closed, and fails the acquisition unless {@link #acquireRetry} allows another
         * attempt.
         *
         * @param sql the statement (default: none)
         * @return this builder
         * @throws IllegalStateException if it is already set
         */
        public Builder validationQuery(String sql) {
            return set(Setting.VALIDATION_QUERY, sql);
        }

        /**
         * Sets whether validation before each acquisition checks the state of the connection or makes a round trip. A
         * connection that fails is closed, and fails the acquisition unless {@link #acquireRetry} allows another
         * attempt.
         *
         * @param depth the validation depth (default: {@code LOCAL})
         * @return this builder
         * @throws IllegalStateException if it is already set
         */
        public Builder validationDepth(ValidationDepth depth) {
            return set(Setting.VALIDATION_DEPTH, depth);
        }

        /**
         * Sets statements that run on every new connection, in this order, for example to configure the session. If a
         * statement fails, the connection is closed and the attempt fails.
         *
         * @param sql the statements (default: none), one in each element
         * @return this builder
         * @throws IllegalStateException if it is already set
         */
        public Builder onConnect(String... sql) {
            if (onConnect != null) {
                // The message omits the statements, which may contain secrets.
                throw new IllegalStateException("onConnect is set twice. Set it once, with all statements");
            }
            this.onConnect = List.of(sql);
            return this;
        }

        /**
         * Sets whether opening an engine acquires and releases a connection. If disabled, an application can start
         * while its database is unavailable, and a wrong password fails the first statement instead of the opening.
         *
         * @param connect whether to connect (default: true)
         * @return this builder
         * @throws IllegalStateException if it is already set
         */
        public Builder connectOnOpen(boolean connect) {
            this.connectOnOpen = once("connectOnOpen", connectOnOpen, connect);
            return this;
        }

        /**
         * Sets the clock that measures idle times and lifetimes, for tests.
         *
         * @param clock the clock (default: the system clock)
         * @return this builder
         * @throws IllegalStateException if it is already set
         */
        public Builder clock(Clock clock) {
            this.clock = once("clock", this.clock, clock);
            return this;
        }

        /**
         * {@return the settings}
         *
         * @throws IllegalArgumentException if {@code initialSize} or {@code minIdle} exceeds {@code maxSize}
         */
        public EngineSettings build() {
            return new EngineSettings(new PoolOptions(
                    new EnumMap<>(values),
                    Objects.requireNonNullElse(onConnect, List.of()),
                    Objects.requireNonNullElse(connectOnOpen, true),
                    Objects.requireNonNullElseGet(clock, Clock::systemUTC)));
        }

        private Builder set(Setting setting, Object value) {
            Objects.requireNonNull(value, setting.optionName());
            values.put(setting, once(setting.optionName(), values.get(setting), setting.read(value)));
            return this;
        }

        private static <V> V once(String name, @Nullable V before, V value) {
            Objects.requireNonNull(value, name);
            if (before != null) {
                throw new IllegalStateException(
                        name + " is set twice: to " + before + " and to " + value + ". Set it once");
            }
            return value;
        }
    }
}
