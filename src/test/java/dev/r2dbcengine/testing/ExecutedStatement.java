package dev.r2dbcengine.testing;

import java.util.List;
import java.util.Map;

/**
 * A statement that the {@link FakeDriver} was asked to execute.
 *
 * @param bindings one map for each set of values, keyed by {@code Integer} index or {@code String} name; a null is a
 *     {@link Null}; empty when nothing was bound
 * @param fetchSize 0 when none was set
 * @param generated the columns asked for; {@code ["*"]} when all were, empty when none was
 */
public record ExecutedStatement(
        int connection, String sql, List<Map<Object, Object>> bindings, int fetchSize, List<String> generated) {
    /** A bound null and its type. */
    public record Null(Class<?> type) {}
}
