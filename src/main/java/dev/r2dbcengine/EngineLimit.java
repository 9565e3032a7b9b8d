package dev.r2dbcengine;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** A counting semaphore for open engines. If no permit is available, an acquisition evicts an idle engine. */
final class EngineLimit {
    private final int maxEngines;
    private final AtomicInteger acquired = new AtomicInteger();

    /**
     * Creates a limit.
     *
     * @param maxEngines the number of permits; zero means no limit
     */
    EngineLimit(int maxEngines) {
        this.maxEngines = maxEngines;
    }

    /**
     * Acquires a permit. If none is available, evicts the least recently used idle engine, or waits for one that is
     * closing; if there is neither, fails with {@link EngineLimitException}.
     */
    Mono<Void> acquire(String url, Supplier<Stream<EngineEntry>> engines) {
        return Mono.defer(
                () -> tryAcquire() ? Mono.empty() : evictOne(url, engines).then(acquire(url, engines)));
    }

    void release() {
        acquired.decrementAndGet();
    }

    private boolean tryAcquire() {
        int before = acquired.getAndUpdate(count -> maxEngines == 0 || count < maxEngines ? count + 1 : count);
        return maxEngines == 0 || before < maxEngines;
    }

    private Mono<Void> evictOne(String url, Supplier<Stream<EngineEntry>> engines) {
        return engines.get()
                .filter(EngineEntry::isEvictable)
                .min(Comparator.comparingLong(EngineEntry::idleSince))
                .map(EngineEntry::evict)
                .orElseGet(() -> awaitAnyClosing(url, engines.get()));
    }

    private Mono<Void> awaitAnyClosing(String url, Stream<EngineEntry> engines) {
        List<Mono<Void>> closing =
                engines.filter(EngineEntry::isClosing).map(EngineEntry::close).toList();
        return closing.isEmpty()
                ? Mono.error(() -> new EngineLimitException(url, maxEngines))
                : Mono.firstWithSignal(closing);
    }
}
