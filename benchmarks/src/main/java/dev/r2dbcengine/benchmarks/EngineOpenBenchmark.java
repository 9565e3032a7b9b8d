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
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opening 1,000 engines one after the other, against making 1,000 pools by hand and borrowing one connection of each. On
 * H2 the cache opens two connections for each engine: the second one holds the database.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class EngineOpenBenchmark {
    @Param({"idle", "h2:mem"})
    private String driver;

    @Param("1000")
    private int engines;

    private final List<ConnectionPool> bare = new CopyOnWriteArrayList<>();
    private ReactiveEngineCache cache;
    private String prefix;

    @Setup(Level.Invocation)
    public void newNames() {
        prefix = "r2dbc:" + driver + (driver.equals("idle") ? "://host/" : ":///") + UUID.randomUUID() + "-";
        cache = ReactiveEngineCache.builder()
                .connectionFactory(EngineOpenBenchmark::factory)
                .build();
    }

    @TearDown(Level.Invocation)
    public void close() {
        cache.close().block();
        Flux.fromIterable(bare).flatMap(ConnectionPool::disposeLater).blockLast();
        bare.clear();
    }

    @Benchmark
    @ComparedTo("barePool")
    public Object engine() {
        return urls().concatMap(cache::pool).blockLast();
    }

    @Benchmark
    public Object barePool() {
        return urls().concatMap(this::pooled).blockLast();
    }

    private Flux<String> urls() {
        return Flux.range(0, engines).map(i -> prefix + i);
    }

    private Mono<ConnectionPool> pooled(String url) {
        return Mono.defer(() -> {
            ConnectionPool pool =
                    new ConnectionPool(ConnectionPoolConfiguration.builder(factory(ConnectionFactoryOptions.parse(url)))
                            .initialSize(0)
                            .build());
            bare.add(pool);
            return pool.create()
                    .flatMap(connection -> Mono.<Void>from(connection.close()))
                    .thenReturn(pool);
        });
    }

    private static ConnectionFactory factory(ConnectionFactoryOptions options) {
        return "idle".equals(options.getValue(ConnectionFactoryOptions.DRIVER))
                ? new IdleDriver()
                : ConnectionFactories.get(options);
    }
}
