package dev.r2dbcengine.races;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineLimitException;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.pool.ConnectionPool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A cache on the fake driver with at most one open pool: the race is on one URL, or on two in a cache for one engine.
 * It records each pool that was opened, and the first fault.
 */
final class RacedCache {
    static final String URL = "r2dbc:fake://host/raced";
    static final String OTHER = "r2dbc:fake://host/other";

    private final FakeDriver driver = new FakeDriver().withoutRecording();
    private final Queue<ConnectionPool> opened = new ConcurrentLinkedQueue<>();
    private final AtomicInteger closings = new AtomicInteger();
    private final AtomicBoolean failing;
    private final ReactiveEngineCache cache;
    private volatile @Nullable String fault;

    private RacedCache(boolean connecting, boolean failing, UnaryOperator<ReactiveEngineCache.Builder> more) {
        this.failing = new AtomicBoolean(failing);
        this.cache = more.apply(ReactiveEngineCache.builder()
                        .connectionFactory(options -> driver)
                        .settings(EngineSettings.builder()
                                .connectOnOpen(connecting)
                                .maxSize(1)
                                .build())
                        .initializer(this::initialize)
                        .listener(new EngineListener() {
                            @Override
                            public void closed(String url) {
                                closings.incrementAndGet();
                            }
                        }))
                .build();
    }

    /** Opens on the subscriber's thread, so the race is between the two threads only. */
    static RacedCache synchronous() {
        return new RacedCache(false, false, builder -> builder);
    }

    /** Opens with a connection that arrives on a third thread. */
    static RacedCache connecting() {
        return new RacedCache(true, false, builder -> builder);
    }

    /** Makes the first opening fail. */
    static RacedCache failingOnce() {
        return new RacedCache(false, true, builder -> builder);
    }

    /** Limits the cache to one engine. */
    static RacedCache limitedToOneEngine() {
        return new RacedCache(false, false, builder -> builder.maxEngines(1));
    }

    /** Limits the cache to one engine; the first opening fails. */
    static RacedCache limitedToOneEngineFailingOnce() {
        return new RacedCache(false, true, builder -> builder.maxEngines(1));
    }

    private Mono<?> initialize(Engine engine) {
        return engine.pool().doOnNext(pool -> {
            if (opened.stream().anyMatch(earlier -> !earlier.isDisposed())) {
                fault = Fault.TWO_POOLS;
            }
            opened.add(pool);
            if (failing.getAndSet(false)) {
                throw new IllegalStateException("The first opening fails");
            }
        });
    }

    ReactiveEngineCache cache() {
        return cache;
    }

    Mono<ConnectionPool> pool() {
        return cache.pool(URL);
    }

    Engine engine() {
        return cache.engine(URL);
    }

    FakeDriver driver() {
        return driver;
    }

    int closings() {
        return closings.get();
    }

    /** Records the first fault. */
    void fault(String seen) {
        if (fault == null) {
            fault = seen;
        }
    }

    /** Records a fault unless all subscribers have received a terminal signal. */
    void expectSignals(RecordingSubscriber... subscribers) {
        for (RecordingSubscriber subscriber : subscribers) {
            if (!subscriber.awaitTermination()) {
                fault(Fault.NO_SIGNAL);
            }
        }
    }

    /** Records a fault unless a new subscriber receives an open pool. */
    @Nullable ConnectionPool expectPool() {
        RecordingSubscriber subscriber = RecordingSubscriber.of(pool());
        expectSignals(subscriber);
        ConnectionPool pool = subscriber.pool();
        if (pool == null) {
            fault(Fault.CACHED_FAILURE);
        } else if (pool.isDisposed()) {
            fault(Fault.CLOSED_POOL);
        }
        return pool;
    }

    /** Records a fault unless there is room for an engine when none is being opened. */
    void expectCapacity() {
        RecordingSubscriber subscriber = RecordingSubscriber.of(cache.pool("r2dbc:fake://host/third"));
        expectSignals(subscriber);
        if (subscriber.error() instanceof EngineLimitException) {
            fault(Fault.LOST_CAPACITY);
        }
    }

    /** Closes the cache and returns the result of {@link #seen}. */
    String verdict(String outcome) {
        expectSignals(RecordingSubscriber.of(cache.close()));
        return seen(outcome);
    }

    /** Returns the first fault of a closed cache, including connections that are still open, or else this outcome. */
    String seen(String outcome) {
        if (!cache.engines().isEmpty()) {
            fault(Fault.LEAKED_ENGINE);
        }
        if (opened.stream().anyMatch(pool -> !pool.isDisposed())) {
            fault(Fault.LEAKED_POOL);
        }
        if (!RecordingSubscriber.awaitTrue(() -> driver.openConnections() == 0)) {
            fault(Fault.LEAKED_CONNECTION);
        }
        if (!driver.violations().isEmpty()) {
            fault(Fault.CONNECTION_MISUSED);
        }
        String seen = fault;
        return seen == null ? outcome : seen;
    }
}
