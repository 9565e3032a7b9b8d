package dev.r2dbcengine.integration.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.pool.PoolMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;

/**
 * The gauges of all open pools. Those of a URL exist while it has a pool, and are the sum of its pools: the next engine
 * can open while the previous one still waits for its connections.
 */
final class PoolGauges {

    private record Numbers(List<PoolMetrics> pools, List<Meter> gauges) {}

    private final MeterRegistry registry;
    private final Map<String, Numbers> urls = new HashMap<>();

    PoolGauges(MeterRegistry registry) {
        this.registry = registry;
    }

    synchronized void add(String url, PoolMetrics pool) {
        urls.computeIfAbsent(url, this::register).pools().add(pool);
    }

    synchronized void remove(String url, PoolMetrics pool) {
        Numbers numbers = urls.get(url);
        if (numbers != null && numbers.pools().remove(pool) && numbers.pools().isEmpty()) {
            numbers.gauges().forEach(registry::remove);
            urls.remove(url);
        }
    }

    private Numbers register(String url) {
        List<PoolMetrics> pools = new CopyOnWriteArrayList<>();
        List<Meter> gauges = List.of(
                gauge("acquired", "Acquired connections", url, pools, PoolMetrics::acquiredSize),
                gauge("idle", "Idle connections", url, pools, PoolMetrics::idleSize),
                gauge("pending", "Pending acquisitions", url, pools, PoolMetrics::pendingAcquireSize),
                gauge("allocated", "Open connections", url, pools, PoolMetrics::allocatedSize),
                gauge("max.allocated", "Maximum of open connections", url, pools, PoolMetrics::getMaxAllocatedSize));
        return new Numbers(pools, gauges);
    }

    /* The registry references the list weakly; the map keeps it alive. */
    private Meter gauge(
            String name, String description, String url, List<PoolMetrics> pools, ToIntFunction<PoolMetrics> number) {
        return Gauge.builder(
                        "r2dbc.pool." + name,
                        pools,
                        all -> all.stream().mapToInt(number).sum())
                .description(description)
                .baseUnit("connections")
                .tag("name", url)
                .register(registry);
    }
}
