package dev.r2dbcengine;

import io.r2dbc.pool.ConnectionPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * The value of the cache's map: the pool of one engine, opened by its first subscriber and shared by all. It lives
 * once, from new to closed; the next opening of the same key is another entry.
 *
 * <p>The state is one reference, so that no order of events lets a closing engine hand out its pool: while the engine is
 * open it is the pool itself, otherwise one of the marks. To replace the pool by {@code CLOSING} is the first step of
 * closing. An entry leaves the map only when its pool hands out nothing more, so that no two pools of one key do; who
 * comes in between waits for that moment and is then {@link Superseded sent back} to look again.
 */
final class EngineEntry extends Mono<ConnectionPool> {
    private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

    /** Tells a subscriber to look into the map again. */
    static final class Superseded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Superseded() {
            super("look again", null, false, false);
        }
    }

    private enum Phase {
        NEW(EngineStatus.State.OPENING),
        OPENING(EngineStatus.State.OPENING),
        CLOSING(EngineStatus.State.CLOSING),
        CLOSED(EngineStatus.State.CLOSED);

        private final EngineStatus.State state;

        Phase(EngineStatus.State state) {
            this.state = state;
        }
    }

    private final ReactiveEngineCache cache;
    private final CacheConfiguration configuration;
    private final EngineUrl url;
    private final AtomicReference<Object> state = new AtomicReference<>(Phase.NEW);

    /** What two URLs of this engine must not name differently; grows when a URL names more. */
    private final Map<String, Object> named;

    /** The engines that the initializer of this one waits for. */
    private final List<EngineEntry> waitsFor = new CopyOnWriteArrayList<>();

    private final Sinks.Empty<Void> removed = Sinks.empty();
    private final Mono<ConnectionPool> superseded = removed.asMono().then(Mono.error(Superseded::new));

    /** What an opening that meets a close leaves to it; empty where the opening failed. */
    private final Sinks.One<EnginePool> handover = Sinks.one();

    private final Mono<ConnectionPool> opening = Mono.defer(this::open)
            .contextWrite(subscribers -> Context.empty())
            .cache(pool -> FOREVER, error -> Duration.ZERO, () -> Duration.ZERO);
    private final Mono<Void> closing = Mono.defer(this::beginClose)
            .contextWrite(subscribers -> Context.empty())
            .cache();

    private final Disposable.Swap idleTimer = Disposables.swap();
    private volatile @Nullable EnginePool enginePool;
    private volatile boolean holdsPermit;

    EngineEntry(ReactiveEngineCache cache, CacheConfiguration configuration, EngineUrl url) {
        this.cache = cache;
        this.configuration = configuration;
        this.url = url;
        this.named = new ConcurrentHashMap<>(url.named());
    }

    EngineKey key() {
        return url.key();
    }

    @Override
    public void subscribe(CoreSubscriber<? super ConnectionPool> actual) {
        // Read once: between two looks an opening engine may have become an open one.
        Object current = state.get();
        if (current instanceof ShutdownSafePool pool && pool.isOpen()) {
            actual.onSubscribe(Operators.scalarSubscription(actual, pool));
        } else if (current == Phase.NEW || current == Phase.OPENING) {
            opening.flatMap(this::unlessSuperseded).subscribe(actual);
        } else {
            awaitSuperseded().subscribe(actual);
        }
    }

    /** The pool, if it can be handed out. */
    @Nullable ConnectionPool pool() {
        return state.get() instanceof ShutdownSafePool pool && pool.isOpen() ? pool : null;
    }

    /** This engine, for the initializer of another one; an error if the other is waited for here. */
    Mono<ConnectionPool> forInitializerOf(EngineEntry other) {
        if (pool() != null) {
            return this;
        }
        return Mono.defer(() -> {
                    other.waitsFor.add(this);
                    List<String> chain = new ArrayList<>(List.of(other.url.redacted()));
                    return chainTo(other, chain, new HashSet<>())
                            ? Mono.<ConnectionPool>error(new EngineCycleException(List.copyOf(chain)))
                            : this;
                })
                .doFinally(signal -> other.waitsFor.remove(this));
    }

    private boolean chainTo(EngineEntry target, List<String> chain, Set<EngineEntry> seen) {
        chain.add(url.redacted());
        if (this == target) {
            return true;
        }
        if (seen.add(this) && waitsFor.stream().anyMatch(next -> next.chainTo(target, chain, seen))) {
            return true;
        }
        chain.remove(chain.size() - 1);
        return false;
    }

    /** Those of an engine that is being opened as well, for its initializer. */
    void replaceConnections() {
        EnginePool created = enginePool;
        if (created != null) {
            created.replaceConnections();
        }
    }

    /** Closes the engine, once, whoever waits for it or leaves. */
    Mono<Void> close() {
        return closing;
    }

    /** Closes the engine unless it came into use meanwhile. */
    Mono<Void> evict() {
        return Mono.defer(() -> {
            if (!isEvictable()) {
                return Mono.empty();
            }
            configuration.report(listener -> listener.evicted(url.redacted()));
            return closing;
        });
    }

    boolean isEvictable() {
        EnginePool open = enginePool;
        return pool() != null && open != null && !url.key().inMemory() && !open.inUse();
    }

    boolean isClosing() {
        return state.get() == Phase.CLOSING;
    }

    /** In milliseconds of the scheduler's clock. */
    long idleSince() {
        EnginePool open = enginePool;
        return open == null ? Long.MAX_VALUE : open.idleSince();
    }

    /** Refuses a URL that contradicts the engine; tells the listener of one that names what comes too late. */
    void admit(EngineUrl other) {
        if (isClosing()) {
            // The next engine of this key may be another one.
            return;
        }
        other.named().forEach((setting, value) -> {
            Object existing = named.getOrDefault(setting, value);
            if (!existing.equals(value)) {
                throw EngineConflictException.between(url.redacted(), setting, existing, value);
            }
        });
        Set<String> ignored = new TreeSet<>(other.named().keySet());
        ignored.removeIf(setting -> named.putIfAbsent(setting, other.named().get(setting)) != null);
        if (!ignored.isEmpty()) {
            configuration.report(listener -> listener.settingsIgnored(url.redacted(), ignored));
        }
    }

    EngineStatus status(Optional<String> givenName) {
        EnginePool open = enginePool;
        return new EngineStatus(
                url.redacted(),
                state.get() instanceof Phase phase ? phase.state : EngineStatus.State.OPEN,
                open == null ? EngineStatus.Connections.NONE : open.connections(),
                givenName);
    }

    private Mono<ConnectionPool> unlessSuperseded(ConnectionPool opened) {
        return opened == pool() ? Mono.just(opened) : awaitSuperseded();
    }

    /** For who finds the engine closing, closed, or with a pool that somebody else has disposed of. */
    private Mono<ConnectionPool> awaitSuperseded() {
        return Mono.defer(() -> {
            closing.subscribe();
            return superseded;
        });
    }

    private Mono<ConnectionPool> open() {
        if (!state.compareAndSet(Phase.NEW, Phase.OPENING)) {
            return superseded;
        }
        long start = System.nanoTime();
        return configuration.limit()
                .acquire(url.redacted(), cache::all)
                .then(Mono.fromCallable(this::createPool))
                .flatMap(created -> created.connect().then(initialize(created)).thenReturn(created))
                .flatMap(created -> opened(created, Duration.ofNanos(System.nanoTime() - start)))
                .onErrorResume(error -> !(error instanceof Superseded), this::openFailed);
    }

    private EnginePool createPool() {
        holdsPermit = true;
        EnginePool created = configuration.createPool(url);
        enginePool = created;
        return created;
    }

    /** The Context says whose initializer it is, and nothing else. */
    private Mono<Void> initialize(EnginePool created) {
        return Mono.defer(() -> configuration.initialize(created.pool(), Mono.fromRunnable(created::replaceConnections)))
                .contextWrite(Context.of(EngineEntry.class, this));
    }

    private Mono<ConnectionPool> opened(EnginePool created, Duration duration) {
        if (state.compareAndSet(Phase.OPENING, created.pool())) {
            configuration.report(listener -> listener.opened(url.redacted(), duration));
            evictOnceIdle();
            return Mono.just(created.pool());
        }
        handover.tryEmitValue(created);
        return superseded;
    }

    private Mono<ConnectionPool> openFailed(Throwable error) {
        EnginePool created = enginePool;
        Mono<Void> poolClosed = created == null ? Mono.empty() : created.close(() -> {});
        return poolClosed.then(Mono.defer(() -> {
            terminated();
            handover.tryEmitEmpty();
            Throwable reported = configuration.asOpenException(url, error);
            configuration.report(listener -> listener.openFailed(url.redacted(), reported));
            return Mono.error(reported);
        }));
    }

    private Mono<Void> beginClose() {
        Object previous = state.getAndUpdate(current -> current == Phase.CLOSED ? current : Phase.CLOSING);
        return previous == Phase.OPENING ? closeOnceOpen() : closePool(Mono.justOrEmpty(enginePool));
    }

    /** The opening hands over what it has made, however late; for that long only the close itself waits. */
    private Mono<Void> closeOnceOpen() {
        Mono<Void> closed = closePool(handover.asMono()).cache();
        closed.subscribe();
        return handover
                .asMono()
                .thenReturn(true)
                .timeout(configuration.closeTimeout(), Mono.fromSupplier(() -> {
                    configuration.report(listener -> listener.openingNotAwaited(url.redacted()));
                    return false;
                }))
                .flatMap(completed -> completed ? closed : Mono.empty());
    }

    private Mono<Void> closePool(Mono<EnginePool> open) {
        return open.flatMap(closing -> closing.close(this::removeFromMap)
                        .then(Mono.<Void>fromRunnable(() -> configuration.report(listener -> listener.closed(url.redacted())))))
                .then(Mono.fromRunnable(this::terminated));
    }

    private void evictOnceIdle() {
        long timeout = configuration.idleTimeout().toMillis();
        if (timeout == 0 || url.key().inMemory()) {
            return;
        }
        long idle = isEvictable() ? Schedulers.parallel().now(TimeUnit.MILLISECONDS) - idleSince() : 0;
        if (idle >= timeout) {
            evict().subscribe();
        }
        // Disposed of already if the engine is gone by now.
        idleTimer.update(Schedulers.parallel()
                .schedule(this::evictOnceIdle, idle < timeout ? timeout - idle : timeout, TimeUnit.MILLISECONDS));
    }

    private void removeFromMap() {
        cache.closing(this);
        removed.tryEmitEmpty();
    }

    private void terminated() {
        state.set(Phase.CLOSED);
        enginePool = null;
        idleTimer.dispose();
        if (holdsPermit) {
            holdsPermit = false;
            configuration.limit().release();
        }
        cache.closed(this);
        removed.tryEmitEmpty();
    }
}
