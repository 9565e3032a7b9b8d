package dev.r2dbcengine;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** How many engines may be open at a time: who opens one takes a place, and makes room for it if there is none. */
final class EngineLimit {
    private final int most;
    private final AtomicInteger taken = new AtomicInteger();

    /**
     * A limit.
     *
     * @param most zero: none
     */
    EngineLimit(int most) {
        this.most = most;
    }

    /**
     * Completes when the place is taken. Without a free one it evicts the engine that has been idle the longest, or waits
     * for one that is closing; if neither is there it fails.
     */
    Mono<Void> take(String url, Supplier<Stream<EngineEntry>> engines) {
        return Mono.defer(
                () -> tryTake() ? Mono.empty() : makeRoom(url, engines).then(take(url, engines)));
    }

    void free() {
        taken.decrementAndGet();
    }

    private boolean tryTake() {
        int before = taken.getAndUpdate(now -> most == 0 || now < most ? now + 1 : now);
        return most == 0 || before < most;
    }

    private Mono<Void> makeRoom(String url, Supplier<Stream<EngineEntry>> engines) {
        return engines.get()
                .filter(EngineEntry::isEvictable)
                .min(Comparator.comparingLong(EngineEntry::idleSince))
                .map(EngineEntry::evict)
                .orElseGet(() -> anyClosed(url, engines.get()));
    }

    private Mono<Void> anyClosed(String url, Stream<EngineEntry> engines) {
        List<Mono<Void>> closing =
                engines.filter(EngineEntry::isClosing).map(EngineEntry::close).toList();
        return closing.isEmpty()
                ? Mono.error(() -> new EngineLimitException(url, most))
                : Mono.firstWithSignal(closing);
    }
}
