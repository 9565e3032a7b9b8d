package dev.r2dbcengine.benchmarks;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.r2dbcengine.ReactiveEngineCache;
import io.r2dbc.pool.ConnectionPool;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import reactor.core.publisher.Flux;

/**
 * Opens 10,000 tenants one after another with 50 places: each opens its pool, acquires and releases a connection, and
 * nearly each evicts another. The peer is a Caffeine cache of pools with a listener that disposes of evicted pools;
 * unlike the engine cache it also evicts pools that are in use.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
public class TenantBenchmark {
    private static final String TENANTS = "10000 tenants in 50 places";
    private static final int PLACES = 50;

    /** A driver that connects at once, so the benchmark measures opening and eviction. */
    @Param("idle")
    public String database;

    private final List<String> urls =
            IntStream.range(0, 10_000).mapToObj(i -> "r2dbc:idle://host/" + i).toList();
    private ReactiveEngineCache engines;
    private LoadingCache<String, ConnectionPool> pools;

    /** Creates empty caches. */
    @Setup(Level.Invocation)
    public void prepare() {
        engines = ReactiveEngineCache.builder()
                .connectionFactory(options -> new IdleDriver())
                .maxEngines(PLACES)
                .build();
        pools = Caffeine.newBuilder()
                .maximumSize(PLACES)
                .<String, ConnectionPool>removalListener(
                        (url, pool, cause) -> pool.disposeLater().subscribe())
                .build(EngineOpenBenchmark::pool);
    }

    /** Closes the caches, so that they do not use the memory of the next invocation. */
    @TearDown(Level.Invocation)
    public void close() {
        engines.close().block();
        pools.invalidateAll();
    }

    @Benchmark
    @Peer(of = TENANTS)
    public Object engine() {
        return Flux.fromIterable(urls)
                .concatMap(url -> engines.pool(url).flatMap(EngineOpenBenchmark::use))
                .blockLast();
    }

    @Benchmark
    @Peer(of = TENANTS, by = "Caffeine", base = true)
    public Object caffeine() {
        return Flux.fromIterable(urls)
                .concatMap(url -> EngineOpenBenchmark.use(pools.get(url)))
                .blockLast();
    }
}
