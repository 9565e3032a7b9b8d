package dev.r2dbcengine.benchmarks;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import io.r2dbc.pool.ConnectionPool;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Mono;

/**
 * Gets the pool of an open engine: with a {@code Mono} that is kept ({@code held}), and with a call of {@code
 * pool(url)} each time ({@code called}). The peers are {@code Mono.just(pool)} and hand-written alternatives: a kept
 * {@code Mono} that looks the pool up on subscription. Blocking is not measured: to the compiler {@code
 * Mono.just(pool).block()} is a constant, which no cache is.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
public class CacheHitBenchmark {
    private static final String HIT = "cache hit";
    private static final String URL = "r2dbc:idle://host/db";

    /** A pool without connections. */
    @Param("idle")
    public String database;

    private final ReactiveEngineCache cache = ReactiveEngineCache.builder()
            .connectionFactory(options -> new IdleDriver())
            .settings(EngineSettings.builder().connectOnOpen(false).build())
            .build();
    private final Mono<ConnectionPool> held = cache.pool(URL);
    private final ConnectionPool pool = held.block();

    private final Mono<ConnectionPool> just = Mono.just(pool);
    private final Mono<ConnectionPool> memo = Mono.fromSupplier(() -> pool).cache();
    private final Map<String, ConnectionPool> pools = new ConcurrentHashMap<>(Map.of(URL, pool));
    private final Mono<ConnectionPool> map = Mono.defer(() -> Mono.just(pools.get(URL)));
    private final Map<String, ConnectionPool> guarded = new HashMap<>(Map.of(URL, pool));
    private final Mono<ConnectionPool> locked = Mono.defer(() -> Mono.just(underLock()));
    private final AsyncCache<String, ConnectionPool> futures =
            Caffeine.newBuilder().buildAsync();
    private final Mono<ConnectionPool> caffeine = Mono.fromFuture(this::future);

    private ConnectionPool underLock() {
        synchronized (guarded) {
            return guarded.get(URL);
        }
    }

    private CompletableFuture<ConnectionPool> future() {
        return futures.get(URL, (url, executor) -> CompletableFuture.completedFuture(pool));
    }

    @Benchmark
    @Peer(of = HIT, by = "Mono.just", base = true)
    public Object just() {
        return Receiver.of(just);
    }

    @Benchmark
    @Peer(of = HIT, by = "engine held")
    public Object held() {
        return Receiver.of(held);
    }

    @Benchmark
    @Peer(of = HIT, by = "engine called")
    public Object called() {
        return Receiver.of(cache.pool(URL));
    }

    @Benchmark
    @Peer(of = HIT, by = "Mono.cache")
    public Object memo() {
        return Receiver.of(memo);
    }

    @Benchmark
    @Peer(of = HIT, by = "concurrent map")
    public Object map() {
        return Receiver.of(map);
    }

    @Benchmark
    @Peer(of = HIT, by = "locked map")
    public Object locked() {
        return Receiver.of(locked);
    }

    @Benchmark
    @Peer(of = HIT, by = "Caffeine")
    public Object caffeine() {
        return Receiver.of(caffeine);
    }
}
