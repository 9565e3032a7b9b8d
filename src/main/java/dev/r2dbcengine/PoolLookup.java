package dev.r2dbcengine;

import dev.r2dbcengine.internal.url.EngineKey;
import dev.r2dbcengine.internal.url.EngineUrl;
import io.r2dbc.pool.ConnectionPool;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.retry.Retry;

/**
 * The publisher that {@link ReactiveEngineCache#pool(String)} returns. It looks up the entry of the engine on
 * subscription and remembers it. While that engine is open, a subscription costs as much as one of {@code Mono.just}:
 * no parsing, no map access, no allocation except the subscription.
 */
final class PoolLookup extends Mono<ConnectionPool> {
    private final ReactiveEngineCache cache;
    private final Supplier<EngineUrl> parser;
    private volatile @Nullable EngineUrl url;
    private volatile @Nullable EngineEntry found;
    private volatile @Nullable Identity identity;

    PoolLookup(ReactiveEngineCache cache, Supplier<EngineUrl> parser) {
        this.cache = cache;
        this.parser = parser;
    }

    @Override
    public void subscribe(CoreSubscriber<? super ConnectionPool> actual) {
        ConnectionPool pool = openPool();
        if (pool != null) {
            actual.onSubscribe(Operators.scalarSubscription(actual, pool));
        } else {
            lookUp().subscribe(actual);
        }
    }

    /** Returns an open pool without blocking, so that it works on a non-blocking thread like {@code Mono.just}. */
    @Override
    public @Nullable ConnectionPool block() {
        ConnectionPool pool = openPool();
        return pool != null ? pool : super.block();
    }

    @Override
    public @Nullable ConnectionPool block(Duration timeout) {
        ConnectionPool pool = openPool();
        return pool != null ? pool : super.block(timeout);
    }

    Mono<Void> close() {
        return Mono.defer(() -> cache.close(url().key()));
    }

    Mono<Void> replaceConnections() {
        return Mono.fromRunnable(() -> cache.replaceConnections(url().key()));
    }

    /** Returns an object that is equal for all handles of this engine, whether it is open or not. */
    Object identity() {
        Identity known = identity;
        if (known == null) {
            known = new Identity(cache, url().key());
            identity = known;
        }
        return known;
    }

    String driver() {
        return url().key().driver();
    }

    private record Identity(ReactiveEngineCache cache, EngineKey key) {}

    /** Returns this lookup if its URL has the given driver; otherwise throws {@link EngineOpenException}. */
    PoolLookup of(String driver) {
        if (!url().key().driver().equals(driver)) {
            throw new EngineOpenException(
                    url().redacted(), "all URLs of this engine must be of the driver '" + driver + "'", null);
        }
        return this;
    }

    /** Returns the pool of the remembered entry if it is open; otherwise null. */
    @Nullable ConnectionPool openPool() {
        EngineEntry entry = found;
        return entry == null ? null : entry.pool();
    }

    /** Forgets a closed entry. Returns whether it was the remembered one. */
    boolean forget(EngineEntry closed) {
        boolean same = found == closed;
        if (same) {
            found = null;
        }
        return same;
    }

    private Mono<ConnectionPool> lookUp() {
        return Mono.deferContextual(context -> {
                    EngineEntry entry = cache.entry(url());
                    found = entry;
                    Optional<EngineEntry> initializing = context.getOrEmpty(EngineEntry.class);
                    return initializing.map(entry::forInitializerOf).orElse(entry);
                })
                .retryWhen(Retry.indefinitely().filter(EngineEntry.Superseded.class::isInstance));
    }

    /** Parses the URL on first use, so that an invalid URL becomes an error signal. */
    private EngineUrl url() {
        EngineUrl parsed = url;
        if (parsed == null) {
            parsed = parser.get();
            url = parsed;
        }
        return parsed;
    }
}
