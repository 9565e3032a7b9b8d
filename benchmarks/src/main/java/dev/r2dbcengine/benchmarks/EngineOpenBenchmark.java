package dev.r2dbcengine.benchmarks;

import dev.r2dbcengine.ReactiveEngineCache;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
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
import reactor.core.publisher.Mono;

/**
 * Opens 1,000 engines one after another, 200 on H2, and as many hand-written pools with one connection acquired and
 * released. On H2 the cache opens two connections for each engine; the second one keeps the database alive.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
public class EngineOpenBenchmark {
    private static final String OPENING = "opening 1000 engines (200 on H2)";

    /** The database. */
    @Param({"idle", "h2:mem"})
    public String database;

    private final List<ConnectionPool> bare = new CopyOnWriteArrayList<>();
    private ReactiveEngineCache cache;
    private List<String> urls;

    /** Prefix of names that were not used before. */
    @Setup(Level.Invocation)
    public void prepare() {
        boolean idle = database.equals("idle");
        String prefix = "r2dbc:" + database + (idle ? "://host/" : ":///") + UUID.randomUUID() + "-";
        urls = IntStream.range(0, idle ? 1000 : 200).mapToObj(i -> prefix + i).toList();
        cache = ReactiveEngineCache.builder()
                .connectionFactory(EngineOpenBenchmark::factory)
                .build();
    }

    /** Closes the engines, so that they do not use the memory of the next invocation. */
    @TearDown(Level.Invocation)
    public void close() {
        cache.close().block();
        Flux.fromIterable(bare).flatMap(ConnectionPool::disposeLater).blockLast();
        bare.clear();
    }

    @Benchmark
    @Peer(of = OPENING)
    public Object engine() {
        return Flux.fromIterable(urls).concatMap(cache::pool).blockLast();
    }

    @Benchmark
    @Peer(of = OPENING, by = "bare pool", base = true)
    public Object barePool() {
        return Flux.fromIterable(urls).concatMap(this::pooled).blockLast();
    }

    private Mono<ConnectionPool> pooled(String url) {
        return Mono.defer(() -> {
            ConnectionPool pool = pool(url);
            bare.add(pool);
            return use(pool).thenReturn(pool);
        });
    }

    static ConnectionPool pool(String url) {
        ConnectionFactory driver = factory(ConnectionFactoryOptions.parse(url));
        return new ConnectionPool(
                ConnectionPoolConfiguration.builder(driver).initialSize(0).build());
    }

    static Mono<Void> use(ConnectionPool pool) {
        return pool.create().flatMap(connection -> Mono.from(connection.close()));
    }

    private static ConnectionFactory factory(ConnectionFactoryOptions options) {
        return "idle".equals(options.getValue(ConnectionFactoryOptions.DRIVER))
                ? new IdleDriver()
                : ConnectionFactories.get(options);
    }
}
