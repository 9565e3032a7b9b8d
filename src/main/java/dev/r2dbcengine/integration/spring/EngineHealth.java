package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineStatus;
import dev.r2dbcengine.ReactiveEngineCache;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import reactor.core.publisher.Mono;

/**
 * Health indicator that is up if the database answers on a pooled connection. The details contain the state and the
 * pool metrics of each engine of the cache by redacted URL. Waits up to {@code maxAcquireTime} for a free connection.
 */
final class EngineHealth extends AbstractReactiveHealthIndicator {

    private final ReactiveEngineCache cache;
    private final Engine engine;

    EngineHealth(ReactiveEngineCache cache, Engine engine) {
        super("The database does not answer");
        this.cache = cache;
        this.engine = engine;
    }

    @Override
    protected Mono<Health> doHealthCheck(Health.Builder builder) {
        return engine.ping()
                .then(Mono.fromSupplier(() -> withDetails(builder).up().build()))
                .onErrorResume(e ->
                        Mono.fromSupplier(() -> withDetails(builder).down(e).build()));
    }

    private Health.Builder withDetails(Health.Builder builder) {
        return builder.withDetail(
                        "database", engine.connectionFactory().getMetadata().getName())
                .withDetail("engines", engines());
    }

    private Map<String, Map<String, Object>> engines() {
        Map<String, Map<String, Object>> engines = new LinkedHashMap<>();
        for (EngineStatus status : cache.engines()) {
            EngineStatus.Connections pool = status.connections();
            engines.put(
                    status.url(),
                    Map.of(
                            "state", status.state(),
                            "borrowed", pool.borrowed(),
                            "idle", pool.idle(),
                            "awaited", pool.awaited(),
                            "maxSize", pool.maxSize()));
        }
        return engines;
    }
}
