package dev.r2dbcengine.sql;

import java.util.List;
import java.util.Map;

/**
 * A statement that only some database understands, and the one value that it gives.
 *
 * @param before statements that run first
 * @param bound by {@link SqlStatement#bindAll}
 */
record Expected(String name, List<String> before, String sql, Map<String, ?> bound, Object value) {

    static Expected of(String name, String sql, Map<String, ?> bound, Object value) {
        return new Expected(name, List.of(), sql, bound, value);
    }

    Expected after(String... statements) {
        return new Expected(name, List.of(statements), sql, bound, value);
    }
}
