package dev.r2dbcengine.cli;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A cache that is wrong on purpose, for comparison: a map filled by check-then-act. */
final class NaiveEngines {
    private final Map<String, ConnectionPool> engines = new ConcurrentHashMap<>();
    private final Queue<ConnectionPool> made = new ConcurrentLinkedQueue<>();

    Mono<ConnectionPool> pool(String url) {
        return Mono.fromSupplier(() -> {
            ConnectionPool known = engines.get(url);
            if (known != null) {
                return known;
            }
            ConnectionPool pool = make(url);
            engines.put(url, pool);
            return pool;
        });
    }

    int made() {
        return made.size();
    }

    Mono<Void> close() {
        return Flux.fromIterable(made).flatMap(ConnectionPool::disposeLater).then();
    }

    private ConnectionPool make(String url) {
        ConnectionPool pool =
                new ConnectionPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get(options(url)))
                        .initialSize(0)
                        .maxSize(2)
                        .build());
        made.add(pool);
        // Connects before the pool is put into the map, as such code does: other callers find no entry in that time.
        pool.create().flatMap(connection -> Mono.<Void>from(connection.close())).block();
        return pool;
    }

    /** The driver rejects an unnamed in-memory database, so each engine gets a name, as it does in the real cache. */
    private ConnectionFactoryOptions options(String url) {
        return ConnectionFactoryOptions.parse(
                url.equals("r2dbc:h2:mem:///") ? url + "naive-" + made.size() + "-" + System.nanoTime() : url);
    }
}
