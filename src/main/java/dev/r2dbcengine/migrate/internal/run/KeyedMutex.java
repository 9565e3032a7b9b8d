package dev.r2dbcengine.migrate.internal.run;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Runs one action at a time for each key, in the order of subscription. Keeps nothing for a key without waiting
 * actions.
 */
final class KeyedMutex {

    private final ConcurrentMap<Object, Mono<Void>> last = new ConcurrentHashMap<>();

    /** Runs an action. A cancellation reaches neither the action nor its wait. */
    <T> Mono<T> run(Object key, Supplier<Mono<T>> action) {
        return Mono.defer(() -> {
            Sinks.Empty<Void> over = Sinks.empty();
            Mono<Void> mine = over.asMono();
            Mono<Void> before = last.put(key, mine);
            Mono<T> now = Mono.defer(action).doFinally(end -> {
                last.remove(key, mine);
                over.tryEmitEmpty();
            });
            return before == null ? now : before.then(now);
        });
    }
}
