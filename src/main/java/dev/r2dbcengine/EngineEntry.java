package dev.r2dbcengine;

import dev.r2dbcengine.internal.pool.EnginePool;
import dev.r2dbcengine.internal.pool.ListenerCalls;
import dev.r2dbcengine.internal.pool.ShutdownSafePool;
import dev.r2dbcengine.internal.url.EngineKey;
import dev.r2dbcengine.internal.url.EngineUrl;
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
 * The state machine of one engine, and the value in the map of the cache. An entry is opened by its first subscriber,
 * shared by all, and used once: the next opening of the same key creates a new entry.
 *
 * <p>The state is a single reference: the pool itself while the engine is open, otherwise a {@link Phase}.
 *
 * <pre>
 * state    next     moved by       signal
 * NEW      OPENING  open()         the first subscriber
 *          CLOSING  beginClose()   close() of the engine or cache before any subscriber
 * OPENING  OPEN     opened()       connected, and the initializer completed
 *          CLOSED   openFailed()   any error; the pool, if created, is closed first
 *          CLOSING  beginClose()   close(); the opening hands its pool over to the close when it completes. Its
 *                                  initializer is cancelled at the close timeout
 * OPEN     CLOSING  beginClose()   close(), eviction, or a subscriber that finds the pool disposed
 * CLOSING  CLOSED   terminated()   acquired connections were released, or the close timeout expired
 * CLOSED   -
 * </pre>
 *
 * <p>Invariants: a subscriber gets the pool only in OPEN, so replacing it by CLOSING is the first step of a close. An
 * entry stays in the map of the cache until its pool lends no more connections, so that at most one pool of a key lends
 * connections. Subscribers that find the entry CLOSING or CLOSED wait for its removal and then repeat their lookup. The
 * close runs once and, like the opening, is not cancelled by its subscribers. A permit of the {@link EngineLimit} is held
 * from the creation of the pool until CLOSED.
 */
final class EngineEntry extends Mono<ConnectionPool> {
    private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

    /** Signals that a subscriber must repeat its lookup. */
    static final class Superseded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Superseded() {
            super("superseded", null, false, false);
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
    private final ListenerCalls calls;
    private final EngineUrl url;
    private final AtomicReference<Object> state = new AtomicReference<>(Phase.NEW);

    /** The values on which all URLs of this engine must agree; a URL may add further names. */
    private final Map<String, Object> named;

    /** The engines for which the initializer of this engine waits. */
    private final List<EngineEntry> waitsFor = new CopyOnWriteArrayList<>();

    private final Sinks.Empty<Void> removed = Sinks.empty();
    private final Mono<ConnectionPool> superseded = removed.asMono().then(Mono.error(Superseded::new));

    /** Completes when a close has waited for the initializer long enough. */
    private final Sinks.Empty<Void> abandoned = Sinks.empty();

    /** Hands the pool from an opening to a concurrent close; empty if the opening failed. */
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
        this.calls = configuration.calls(url);
        this.url = url;
        this.named = new ConcurrentHashMap<>(url.named());
    }

    EngineKey key() {
        return url.key();
    }

    @Override
    public void subscribe(CoreSubscriber<? super ConnectionPool> actual) {
        // Read once, since the state may change between two reads.
        Object current = state.get();
        if (current instanceof ShutdownSafePool pool && pool.isOpen()) {
            actual.onSubscribe(Operators.scalarSubscription(actual, pool));
        } else if (current == Phase.NEW || current == Phase.OPENING) {
            opening.flatMap(this::unlessSuperseded).subscribe(actual);
        } else {
            awaitSuperseded().subscribe(actual);
        }
    }

    /** Returns the pool if the engine is open; otherwise null. */
    @Nullable ConnectionPool pool() {
        return state.get() instanceof ShutdownSafePool pool && pool.isOpen() ? pool : null;
    }

    /**
     * Returns this entry for the initializer of another engine, or an error if this engine already waits for the other.
     */
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

    /** Replaces the connections, also while opening: an initializer may call it. */
    void replaceConnections() {
        EnginePool created = enginePool;
        if (created != null) {
            created.replaceConnections();
        }
    }

    /** Closes the engine, once for all subscribers; cancelling does not stop the close. */
    Mono<Void> close() {
        return closing;
    }

    /** Closes the engine unless it is in use by now. */
    Mono<Void> evict() {
        return Mono.defer(() -> {
            if (!isEvictable()) {
                return Mono.empty();
            }
            calls.report(EngineListener::evicted);
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

    /** Returns the time of the last release, in milliseconds of the scheduler's clock. */
    long idleSince() {
        EnginePool open = enginePool;
        return open == null ? Long.MAX_VALUE : open.idleSince();
    }

    /** Rejects a URL whose settings conflict with the engine; reports settings that the open engine ignores. */
    void admit(EngineUrl other) {
        if (isClosing()) {
            // The subscriber will get the next engine of this key, which may have other settings.
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
            calls.report((listener, name) -> listener.settingsIgnored(name, ignored));
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

    /** Waits until this entry is removed; starts the close if the pool was disposed from outside. */
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
        return configuration
                .limit()
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

    /** Runs the initializer, unless a close has begun; its Context contains only this entry, to detect cycles. */
    private Mono<Void> initialize(EnginePool created) {
        Mono<Void> initialized = Mono.defer(() -> isClosing()
                        ? Mono.empty()
                        : configuration.initialize(created.pool(), Mono.fromRunnable(created::replaceConnections)))
                .contextWrite(Context.of(EngineEntry.class, this));
        return Mono.firstWithSignal(initialized, abandoned.asMono().then(Mono.error(this::notAwaited)))
                .onErrorMap(e -> !(e instanceof EngineOpenException), this::initializerFailed);
    }

    private EngineOpenException notAwaited() {
        return new EngineOpenException(
                url.redacted(),
                "it was closed, and its initializer, which did not end within " + configuration.closeTimeout()
                        + ", was cancelled; see closeTimeout(…)",
                null);
    }

    private EngineOpenException initializerFailed(Throwable error) {
        return new EngineOpenException(
                url.redacted(),
                "its initializer failed (" + error.getClass().getSimpleName() + "). The cause says more",
                error);
    }

    private Mono<ConnectionPool> opened(EnginePool created, Duration duration) {
        if (state.compareAndSet(Phase.OPENING, created.pool())) {
            calls.report((listener, name) -> listener.opened(name, duration));
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
            calls.report((listener, name) -> listener.openFailed(name, reported));
            return Mono.error(reported);
        }));
    }

    private Mono<Void> beginClose() {
        Object previous = state.getAndUpdate(current -> current == Phase.CLOSED ? current : Phase.CLOSING);
        if (previous == Phase.CLOSED) {
            return Mono.empty();
        }
        return previous == Phase.OPENING ? closeOnceOpen() : closePool(Mono.justOrEmpty(enginePool));
    }

    /** Closes the pool once the opening hands it over. Subscribers wait no longer than the close timeout. */
    private Mono<Void> closeOnceOpen() {
        Mono<Void> closed = closePool(handover.asMono()).cache();
        closed.subscribe();
        return handover.asMono()
                .thenReturn(true)
                .timeout(configuration.closeTimeout(), Mono.fromSupplier(() -> {
                    calls.report(EngineListener::openingNotAwaited);
                    abandoned.tryEmitEmpty();
                    return false;
                }))
                .flatMap(completed -> completed ? closed : Mono.empty());
    }

    private Mono<Void> closePool(Mono<EnginePool> open) {
        return open.flatMap(closing -> closing.close(this::removeFromMap)
                        .then(Mono.<Void>fromRunnable(() -> calls.report(EngineListener::closed))))
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
        // If the engine is closed, the swap is disposed and disposes the new task.
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
