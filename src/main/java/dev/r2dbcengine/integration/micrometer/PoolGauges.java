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
 * The gauges of all open pools. Those of one URL are there while it has a pool, and count all that it has: its next engine
 * may be open while the last one still waits for its connections.
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
                gauge("acquired", "Connections that are borrowed", url, pools, PoolMetrics::acquiredSize),
                gauge("idle", "Connections that wait for a borrower", url, pools, PoolMetrics::idleSize),
                gauge("pending", "Connections that are awaited", url, pools, PoolMetrics::pendingAcquireSize),
                gauge("allocated", "Connections that are open", url, pools, PoolMetrics::allocatedSize),
                gauge("max.allocated", "Connections that may be open", url, pools, PoolMetrics::getMaxAllocatedSize));
        return new Numbers(pools, gauges);
    }

    /* Of the list the registry has a weak reference: the map has the other. */
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
