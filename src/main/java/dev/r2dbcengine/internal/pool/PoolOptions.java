package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.internal.url.Setting;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of one pool.
 *
 * @param values the settings that were set; for the others the default applies
 * @param onConnect SQL that runs on each new connection
 * @param connectOnOpen whether an engine opens its first connection before it counts as open
 * @param clock measures the idle time and the life time of connections
 */
public record PoolOptions(Map<Setting, Object> values, List<String> onConnect, boolean connectOnOpen, Clock clock) {

    /** Checks the settings that limit each other. */
    public PoolOptions {
        int maxSize = (int) value(values, Setting.MAX_SIZE);
        checkAtMost(maxSize, values, Setting.INITIAL_SIZE);
        checkAtMost(maxSize, values, Setting.MIN_IDLE);
    }

    private static void checkAtMost(int maxSize, Map<Setting, Object> values, Setting setting) {
        Object value = value(values, setting);
        if ((int) value > maxSize) {
            throw new IllegalArgumentException(setting.optionName() + " is " + value + ", more than maxSize, which is "
                    + maxSize + ": raise maxSize or lower the other");
        }
    }

    /** Returns these options, overridden by the settings that a URL names. */
    public PoolOptions with(Map<Setting, Object> named) {
        if (named.isEmpty()) {
            return this;
        }
        Map<Setting, Object> both = new EnumMap<>(Setting.class);
        both.putAll(values);
        both.putAll(named);
        return new PoolOptions(both, onConnect, connectOnOpen, clock);
    }

    public int count(Setting setting) {
        return (int) value(setting);
    }

    public Duration time(Setting setting) {
        return (Duration) value(setting);
    }

    public Object value(Setting setting) {
        return value(values, setting);
    }

    private static Object value(Map<Setting, Object> values, Setting setting) {
        return values.getOrDefault(setting, setting.defaultValue());
    }

    @Override
    public String toString() {
        return values + (connectOnOpen ? "" : ", connectOnOpen=false");
    }
}
