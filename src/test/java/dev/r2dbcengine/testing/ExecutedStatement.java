package dev.r2dbcengine.testing;

import java.util.List;
import java.util.Map;

/**
 * A statement that the {@link FakeDriver} has executed.
 *
 * @param bindings one map for each set of values, keyed by {@code Integer} index or {@code String} name; a null is a
 * {@link Null}; empty without bindings
 * @param fetchSize 0 if not set
 * @param generated the requested columns; {@code ["*"]} for all, empty for none
 */
public record ExecutedStatement(
        int connection, String sql, List<Map<Object, Object>> bindings, int fetchSize, List<String> generated) {
    /** A bound null and its type. */
    public record Null(Class<?> type) {}
}
