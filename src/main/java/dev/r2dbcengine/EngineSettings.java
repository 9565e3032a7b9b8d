package dev.r2dbcengine;

import io.r2dbc.spi.ValidationDepth;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the pool of an engine behaves. An immutable value, which may be shared.
 *
 * <p>The settings carry the names that r2dbc-pool gives them, in code as in the query of a URL
 * ({@code r2dbc:postgresql://host/shop?maxSize=4&maxAcquireTime=PT5S}). What a URL names comes before what code sets;
 * code comes before the values below. They apply when an engine opens, and are no part of its identity: two URLs that
 * name different values for one engine are refused.
 *
 * <table>
 * <caption>Settings, their value unless set, and what zero means</caption>
 * <tr><th>setting</th><th>unless set</th><th>zero</th><th>why this value</th></tr>
 * <tr><td>maxSize</td><td>10</td><td>refused</td><td>r2dbc-pool's own</td></tr>
 * <tr><td>initialSize</td><td>0</td><td>none ahead of time</td><td>opening already proves one connection</td></tr>
 * <tr><td>minIdle</td><td>0</td><td>none kept</td><td>r2dbc-pool's own</td></tr>
 * <tr><td>maxIdleTime</td><td>30 min</td><td>idle connections stay</td><td>r2dbc-pool's own</td></tr>
 * <tr><td>maxLifeTime</td><td>0</td><td>no limit</td><td>r2dbc-pool's own</td></tr>
 * <tr><td>maxAcquireTime</td><td>30 s</td><td>waits without limit</td>
 *     <td>an exhausted pool is an error that is seen, not a request that hangs</td></tr>
 * <tr><td>maxCreateConnectionTime</td><td>10 s</td><td>waits without limit</td>
 *     <td>a host that never answers fails well before the borrower gives up</td></tr>
 * <tr><td>maxValidationTime</td><td>10 s</td><td>waits without limit</td>
 *     <td>as for creation; without effect where validation asks nobody: depth LOCAL and no query</td></tr>
 * <tr><td>backgroundEvictionInterval</td><td>1 min</td><td>evicted at the next borrow only</td>
 *     <td>an idle server connection leaves near its time</td></tr>
 * <tr><td>acquireRetry</td><td>0</td><td>no second try</td>
 *     <td>a retry doubles the acquire time and calls a failing driver twice; idle connections whose end the driver has
 *     seen are not handed out anyway</td></tr>
 * <tr><td>validationDepth</td><td>LOCAL</td><td></td><td>no round trip for each borrow</td></tr>
 * <tr><td>validationQuery</td><td>none</td><td></td><td>the depth decides</td></tr>
 * <tr><td>onConnect</td><td>nothing</td><td></td><td>a session as the driver makes it</td></tr>
 * <tr><td>connectOnOpen</td><td>true</td><td></td><td>a wrong URL or password shows when the engine opens</td></tr>
 * </table>
 */
public final class EngineSettings {
    private static final EngineSettings DEFAULTS = builder().build();

    private final Map<Setting, Object> values;
    private final List<String> onConnect;
    private final boolean connectOnOpen;
    private final Clock clock;

    private EngineSettings(Map<Setting, Object> values, List<String> onConnect, boolean connectOnOpen, Clock clock) {
        this.values = values;
        this.onConnect = onConnect;
        this.connectOnOpen = connectOnOpen;
        this.clock = clock;
        int most = (int) value(Setting.MAX_SIZE);
        checkAtMost(most, Setting.INITIAL_SIZE);
        checkAtMost(most, Setting.MIN_IDLE);
    }

    /** {@return the settings that hold unless something is set} */
    public static EngineSettings defaults() {
        return DEFAULTS;
    }

    /** {@return a builder in which nothing is set} */
    public static Builder builder() {
        return new Builder();
    }

    /** These settings, with what a URL names in front. */
    EngineSettings with(Map<Setting, Object> named) {
        if (named.isEmpty()) {
            return this;
        }
        Map<Setting, Object> both = new EnumMap<>(Setting.class);
        both.putAll(values);
        both.putAll(named);
        return new EngineSettings(both, onConnect, connectOnOpen, clock);
    }

    int count(Setting setting) {
        return (int) value(setting);
    }

    Duration time(Setting setting) {
        return (Duration) value(setting);
    }

    Object value(Setting setting) {
        return values.getOrDefault(setting, setting.defaultValue());
    }

    List<String> onConnect() {
        return onConnect;
    }

    boolean connectOnOpen() {
        return connectOnOpen;
    }

    Clock clock() {
        return clock;
    }

    private void checkAtMost(int most, Setting setting) {
        if ((int) value(setting) > most) {
            throw new IllegalArgumentException(setting.optionName() + " is " + value(setting)
                    + ", more than maxSize, which is " + most + ": raise maxSize or lower the other");
        }
    }

    @Override
    public String toString() {
        return "EngineSettings" + values + (connectOnOpen ? "" : ", connectOnOpen=false");
    }

    /** Collects settings; each may be set once. Not for use by several threads at a time. */
    public static final class Builder {
        private final Map<Setting, Object> values = new EnumMap<>(Setting.class);
        private @Nullable List<String> onConnect;
        private @Nullable Boolean connectOnOpen;
        private @Nullable Clock clock;

        private Builder() {}

        /**
         * Connections that the pool opens when the engine opens.
         *
         * @param connections from 0 to {@code maxSize}
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder initialSize(int connections) {
            return set(Setting.INITIAL_SIZE, connections);
        }

        /**
         * Connections that stay open past {@link #maxIdleTime}. The pool opens them when it opens one for an acquisition, and
         * not in the background.
         *
         * @param connections from 0 to {@code maxSize}
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder minIdle(int connections) {
            return set(Setting.MIN_IDLE, connections);
        }

        /**
         * The most connections that the pool has open at a time.
         *
         * @param connections 1 or more
         * @return this builder
         * @throws IllegalArgumentException when it is less
         * @throws IllegalStateException when it is set already
         */
        public Builder maxSize(int connections) {
            return set(Setting.MAX_SIZE, connections);
        }

        /**
         * After this time without a borrower a connection is closed.
         *
         * @param time zero: idle connections stay
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder maxIdleTime(Duration time) {
            return set(Setting.MAX_IDLE_TIME, time);
        }

        /**
         * After this time a connection is closed when it is next given back or asked for.
         *
         * @param time zero: no limit
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder maxLifeTime(Duration time) {
            return set(Setting.MAX_LIFE_TIME, time);
        }

        /**
         * How long a borrower waits for a connection before {@link io.r2dbc.spi.R2dbcTimeoutException}.
         *
         * @param time zero: without limit
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder maxAcquireTime(Duration time) {
            return set(Setting.MAX_ACQUIRE_TIME, time);
        }

        /**
         * How long the driver may take to connect before {@link io.r2dbc.spi.R2dbcTimeoutException}. A connection that
         * arrives later is closed.
         *
         * @param time zero: without limit
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder maxCreateConnectionTime(Duration time) {
            return set(Setting.MAX_CREATE_CONNECTION_TIME, time);
        }

        /**
         * How long the validation of a connection may take before the pool drops it.
         *
         * @param time zero: without limit
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder maxValidationTime(Duration time) {
            return set(Setting.MAX_VALIDATION_TIME, time);
        }

        /**
         * How often idle connections are looked through for those past {@code maxIdleTime} or {@code maxLifeTime}.
         *
         * @param time zero: only when somebody borrows
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder backgroundEvictionInterval(Duration time) {
            return set(Setting.BACKGROUND_EVICTION_INTERVAL, time);
        }

        /**
         * How often a failed borrow is tried again, each try with the whole {@code maxAcquireTime}.
         *
         * @param tries zero: not at all
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         * @throws IllegalStateException when it is set already
         */
        public Builder acquireRetry(int tries) {
            return set(Setting.ACQUIRE_RETRY, tries);
        }

        /**
         * A statement that proves a connection before each borrow, in place of the driver's own validation. A connection that
         * fails it is closed, and fails its borrow unless {@link #acquireRetry} lets the next one be tried.
         *
         * @param sql the statement
         * @return this builder
         * @throws IllegalStateException when it is set already
         */
        public Builder validationQuery(String sql) {
            return set(Setting.VALIDATION_QUERY, sql);
        }

        /**
         * Whether a connection is validated before each borrow by a look at its state or by a round trip. A connection that
         * fails it is closed, and fails its borrow unless {@link #acquireRetry} lets the next one be tried.
         *
         * @param depth how far to look
         * @return this builder
         * @throws IllegalStateException when it is set already
         */
        public Builder validationDepth(ValidationDepth depth) {
            return set(Setting.VALIDATION_DEPTH, depth);
        }

        /**
         * Statements that every connection runs before anybody gets it, in this order: settings of the session. One that
         * fails fails the connection.
         *
         * @param sql statements of any driver, one each
         * @return this builder
         * @throws IllegalStateException when it is set already
         */
        public Builder onConnect(String... sql) {
            if (onConnect != null) {
                // Without the statements, in which there may be a secret.
                throw new IllegalStateException("onConnect is set twice. Set it once, with all statements");
            }
            this.onConnect = List.of(sql);
            return this;
        }

        /**
         * Whether opening an engine borrows a connection and gives it back. Without it an application starts while its
         * database is away, and a wrong password shows at the first statement.
         *
         * @param connect false: open without a connection
         * @return this builder
         * @throws IllegalStateException when it is set already
         */
        public Builder connectOnOpen(boolean connect) {
            this.connectOnOpen = once("connectOnOpen", connectOnOpen, connect);
            return this;
        }

        /**
         * The clock by which idle and life times are measured, for tests that move it.
         *
         * @param clock the pool's clock
         * @return this builder
         * @throws IllegalStateException when it is set already
         */
        public Builder clock(Clock clock) {
            this.clock = once("clock", this.clock, clock);
            return this;
        }

        /**
         * {@return the settings}
         *
         * @throws IllegalArgumentException if two settings contradict each other
         */
        public EngineSettings build() {
            return new EngineSettings(
                    new EnumMap<>(values),
                    Objects.requireNonNullElse(onConnect, List.of()),
                    Objects.requireNonNullElse(connectOnOpen, true),
                    Objects.requireNonNullElseGet(clock, Clock::systemUTC));
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
