package dev.r2dbcengine;

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
 * What {@link ReactiveEngineCache#pool(String)} returns: looks the engine up when it is subscribed, and remembers what
 * it found. While that is open a subscription costs what {@code Mono.just} costs: nothing is parsed, looked up, stamped
 * or allocated beyond the subscription itself.
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

    /** Like {@code Mono.just}: what is there is handed over without waiting, on a non-blocking thread as well. */
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

    /** Equal for every handle that leads to this engine, whether it is open or not. */
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

    /** This one, if its URL is of that driver. */
    PoolLookup of(String driver) {
        if (!url().key().driver().equals(driver)) {
            throw new EngineOpenException(
                    url().redacted(), "all URLs of this engine are to be of the driver '" + driver + "'", null);
        }
        return this;
    }

    /** The pool, if it is known to be open. */
    @Nullable ConnectionPool openPool() {
        EngineEntry entry = found;
        return entry == null ? null : entry.pool();
    }

    /** Lets go of an engine that is gone, if it is the one that was found. */
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

    /** Parsed at the first subscription, so that a URL that cannot be read is an error signal like any other. */
    private EngineUrl url() {
        EngineUrl parsed = url;
        if (parsed == null) {
            parsed = parser.get();
            url = parsed;
        }
        return parsed;
    }
}
