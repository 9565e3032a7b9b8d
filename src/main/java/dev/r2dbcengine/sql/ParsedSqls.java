package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;

/**
 * Statements that were parsed already. When there are too many, the one that came first goes; it is parsed again when it
 * is used again.
 */
final class ParsedSqls {

    static final int BOUND = 1024;

    private final ConcurrentMap<Key, ParsedSql> parsed = new ConcurrentHashMap<>();
    private final Queue<Key> order = new ConcurrentLinkedQueue<>();

    ParsedSql get(Dialect dialect, String sql) {
        ParsedSql known = parsed.get(new Key(dialect, sql));
        return known == null ? add(new Key(dialect, sql)) : known;
    }

    int size() {
        return parsed.size();
    }

    private ParsedSql add(Key key) {
        ParsedSql fresh = new ParsedSql(key.dialect, key.sql);
        ParsedSql earlier = parsed.putIfAbsent(key, fresh);
        if (earlier != null) {
            return earlier;
        }
        order.add(key);
        while (parsed.size() > BOUND) {
            Key oldest = order.poll();
            if (oldest == null) {
                break;
            }
            parsed.remove(oldest);
        }
        return fresh;
    }

    private record Key(Dialect dialect, String sql) {}
}
