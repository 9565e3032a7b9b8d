package dev.r2dbcengine.migrate.internal.run;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** One at a time for each key, in the order of subscription. Nothing is kept of a key that nobody waits for. */
final class KeyedMutex {

    private final ConcurrentMap<Object, Mono<Void>> last = new ConcurrentHashMap<>();

    /** What is run is not cancelled, nor is the waiting for it. */
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
