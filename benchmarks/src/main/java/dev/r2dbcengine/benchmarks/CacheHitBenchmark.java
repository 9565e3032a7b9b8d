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
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Mono;

/**
 * Asking for the pool of an open engine. Each peer is what one would write: a {@code Mono} that is kept and looks up when
 * it is subscribed. The engine cache is asked both ways, by its kept {@code Mono} and by calling {@code pool(url)}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CacheHitBenchmark {
    private static final String URL = "r2dbc:idle://host/db";

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
    public Object justSubscribed() {
        return Receiver.of(just);
    }

    @Benchmark
    @ComparedTo("justSubscribed")
    public Object heldSubscribed() {
        return Receiver.of(held);
    }

    @Benchmark
    @ComparedTo("justSubscribed")
    public Object calledSubscribed() {
        return Receiver.of(cache.pool(URL));
    }

    @Benchmark
    @ComparedTo("justSubscribed")
    public Object memoSubscribed() {
        return Receiver.of(memo);
    }

    @Benchmark
    @ComparedTo("justSubscribed")
    public Object mapSubscribed() {
        return Receiver.of(map);
    }

    @Benchmark
    @ComparedTo("justSubscribed")
    public Object lockedSubscribed() {
        return Receiver.of(locked);
    }

    @Benchmark
    @ComparedTo("justSubscribed")
    public Object caffeineSubscribed() {
        return Receiver.of(caffeine);
    }

    @Benchmark
    public Object justBlocked() {
        return just.block();
    }

    @Benchmark
    @ComparedTo("justBlocked")
    public Object heldBlocked() {
        return held.block();
    }

    @Benchmark
    @ComparedTo("justBlocked")
    public Object calledBlocked() {
        return cache.pool(URL).block();
    }

    @Benchmark
    @ComparedTo("justBlocked")
    public Object memoBlocked() {
        return memo.block();
    }

    @Benchmark
    @ComparedTo("justBlocked")
    public Object mapBlocked() {
        return map.block();
    }

    @Benchmark
    @ComparedTo("justBlocked")
    public Object lockedBlocked() {
        return locked.block();
    }

    @Benchmark
    @ComparedTo("justBlocked")
    public Object caffeineBlocked() {
        return caffeine.block();
    }
}
