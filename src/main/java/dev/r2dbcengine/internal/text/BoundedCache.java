package dev.r2dbcengine.internal.text;

import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** A bounded cache; the oldest entry is evicted first. */
public final class BoundedCache<K, V> {

    private final int bound;
    private final ConcurrentMap<K, V> made = new ConcurrentHashMap<>();
    private final Queue<K> order = new ConcurrentLinkedQueue<>();

    public BoundedCache(int bound) {
        this.bound = bound;
    }

    public V get(K key, Function<? super K, ? extends V> make) {
        V known = made.get(key);
        return known == null ? add(key, make.apply(key)) : known;
    }

    private V add(K key, V fresh) {
        V earlier = made.putIfAbsent(key, fresh);
        if (earlier != null) {
            return earlier;
        }
        order.add(key);
        while (made.size() > bound) {
            K oldest = order.poll();
            if (oldest == null) {
                break;
            }
            made.remove(oldest);
        }
        return fresh;
    }
}
