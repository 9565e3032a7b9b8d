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
    private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

    /** Tells a subscriber to look into the map again. */
    static final class Superseded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Superseded() {
            super("look again", null, false, false);
        }
    }

    private enum Mark {
        NEW(EngineStatus.State.OPENING),
        OPENING(EngineStatus.State.OPENING),
        CLOSING(EngineStatus.State.CLOSING),
        CLOSED(EngineStatus.State.CLOSED);

        private final EngineStatus.State state;

        Mark(EngineStatus.State state) {
            this.state = state;
        }
    }

    private final ReactiveEngineCache cache;
    private final CacheConfiguration factory;
    private final EngineUrl url;
    private final AtomicReference<Object> state = new AtomicReference<>(Mark.NEW);

    /** What two URLs of this engine must not name differently; grows when a URL names more. */
    private final Map<String, Object> named;

    /** The engines that the initializer of this one waits for. */
    private final List<EngineEntry> awaited = new CopyOnWriteArrayList<>();

    private final Sinks.Empty<Void> left = Sinks.empty();
    private final Mono<ConnectionPool> superseded = left.asMono().then(Mono.error(Superseded::new));

    /** What an opening that meets a close leaves to it; empty where the opening failed. */
    private final Sinks.One<EnginePool> overtaken = Sinks.one();

    private final Mono<ConnectionPool> opening = Mono.defer(this::open)
            .contextWrite(subscribers -> Context.empty())
            .cache(pool -> FOR_EVER, error -> Duration.ZERO, () -> Duration.ZERO);
    private final Mono<Void> closing = Mono.defer(this::beginClose)
            .contextWrite(subscribers -> Context.empty())
            .cache();

    private final Disposable.Swap idleTimer = Disposables.swap();
    private volatile @Nullable EnginePool engine;
    private volatile boolean placed;

    EngineEntry(ReactiveEngineCache cache, CacheConfiguration factory, EngineUrl url) {
        this.cache = cache;
        this.factory = factory;
        this.url = url;
        this.named = new ConcurrentHashMap<>(url.named());
    }

    EngineKey key() {
        return url.key();
    }

    @Override
    public void subscribe(CoreSubscriber<? super ConnectionPool> actual) {
        // Read once: between two looks an opening engine may have become an open one.
        Object now = state.get();
        if (now instanceof ShutdownSafePool pool && pool.isOpen()) {
            actual.onSubscribe(Operators.scalarSubscription(actual, pool));
        } else if (now == Mark.NEW || now == Mark.OPENING) {
            opening.flatMap(this::unlessGone).subscribe(actual);
        } else {
            lookAgain().subscribe(actual);
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
                    other.awaited.add(this);
                    List<String> chain = new ArrayList<>(List.of(other.url.redacted()));
                    return chainTo(other, chain, new HashSet<>())
                            ? Mono.<ConnectionPool>error(new EngineCycleException(List.copyOf(chain)))
                            : this;
                })
                .doFinally(signal -> other.awaited.remove(this));
    }

    private boolean chainTo(EngineEntry goal, List<String> chain, Set<EngineEntry> seen) {
        chain.add(url.redacted());
        if (this == goal) {
            return true;
        }
        if (seen.add(this) && awaited.stream().anyMatch(next -> next.chainTo(goal, chain, seen))) {
            return true;
        }
        chain.remove(chain.size() - 1);
        return false;
    }

    /** Those of an engine that is being opened as well, for its initializer. */
    void replaceConnections() {
        EnginePool made = engine;
        if (made != null) {
            made.replaceConnections();
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
            factory.tell(listener -> listener.evicted(url.redacted()));
            return closing;
        });
    }

    boolean isEvictable() {
        EnginePool open = engine;
        return pool() != null && open != null && !url.key().inMemory() && !open.inUse();
    }

    boolean isClosing() {
        return state.get() == Mark.CLOSING;
    }

    /** In milliseconds of the scheduler's clock. */
    long idleSince() {
        EnginePool open = engine;
        return open == null ? Long.MAX_VALUE : open.idleSince();
    }

    /** Refuses a URL that contradicts the engine; tells the listener of one that names what comes too late. */
    void admit(EngineUrl other) {
        if (isClosing()) {
            // The next engine of this key may be another one.
            return;
        }
        other.named().forEach((setting, value) -> {
            Object mine = named.getOrDefault(setting, value);
            if (!mine.equals(value)) {
                throw EngineConflictException.between(url.redacted(), setting, mine, value);
            }
        });
        Set<String> late = new TreeSet<>(other.named().keySet());
        late.removeIf(setting -> named.putIfAbsent(setting, other.named().get(setting)) != null);
        if (!late.isEmpty()) {
            factory.tell(listener -> listener.settingsIgnored(url.redacted(), late));
        }
    }

    EngineStatus status(Optional<String> givenName) {
        EnginePool open = engine;
        return new EngineStatus(
                url.redacted(),
                state.get() instanceof Mark mark ? mark.state : EngineStatus.State.OPEN,
                open == null ? EngineStatus.Connections.NONE : open.connections(),
                givenName);
    }

    private Mono<ConnectionPool> unlessGone(ConnectionPool opened) {
        return opened == pool() ? Mono.just(opened) : lookAgain();
    }

    /** For who finds the engine closing, closed, or with a pool that somebody else has disposed of. */
    private Mono<ConnectionPool> lookAgain() {
        return Mono.defer(() -> {
            closing.subscribe();
            return superseded;
        });
    }

    private Mono<ConnectionPool> open() {
        if (!state.compareAndSet(Mark.NEW, Mark.OPENING)) {
            return superseded;
        }
        long start = System.nanoTime();
        return factory.limit()
                .take(url.redacted(), cache::all)
                .then(Mono.fromCallable(this::make))
                .flatMap(made -> made.connect().then(initialize(made)).thenReturn(made))
                .flatMap(made -> opened(made, Duration.ofNanos(System.nanoTime() - start)))
                .onErrorResume(error -> !(error instanceof Superseded), this::openFailed);
    }

    private EnginePool make() {
        placed = true;
        EnginePool made = factory.make(url);
        engine = made;
        return made;
    }

    /** The Context says whose initializer it is, and nothing else. */
    private Mono<Void> initialize(EnginePool made) {
        return Mono.defer(() -> factory.initialize(made.pool(), Mono.fromRunnable(made::replaceConnections)))
                .contextWrite(Context.of(EngineEntry.class, this));
    }

    private Mono<ConnectionPool> opened(EnginePool made, Duration duration) {
        if (state.compareAndSet(Mark.OPENING, made.pool())) {
            factory.tell(listener -> listener.opened(url.redacted(), duration));
            evictOnceIdle();
            return Mono.just(made.pool());
        }
        overtaken.tryEmitValue(made);
        return superseded;
    }

    private Mono<ConnectionPool> openFailed(Throwable error) {
        EnginePool made = engine;
        Mono<Void> undone = made == null ? Mono.empty() : made.close(() -> {});
        return undone.then(Mono.defer(() -> {
            gone();
            overtaken.tryEmitEmpty();
            Throwable told = factory.told(url, error);
            factory.tell(listener -> listener.openFailed(url.redacted(), told));
            return Mono.error(told);
        }));
    }

    private Mono<Void> beginClose() {
        Object was = state.getAndUpdate(now -> now == Mark.CLOSED ? now : Mark.CLOSING);
        return was == Mark.OPENING ? closeOnceOpen() : end(Mono.justOrEmpty(engine));
    }

    /** The opening hands over what it has made, however late; for that long only the close itself waits. */
    private Mono<Void> closeOnceOpen() {
        Mono<Void> end = end(overtaken.asMono()).cache();
        end.subscribe();
        return overtaken
                .asMono()
                .thenReturn(true)
                .timeout(factory.closeTimeout(), Mono.fromSupplier(() -> {
                    factory.tell(listener -> listener.openingNotAwaited(url.redacted()));
                    return false;
                }))
                .flatMap(over -> over ? end : Mono.empty());
    }

    private Mono<Void> end(Mono<EnginePool> open) {
        return open.flatMap(closing -> closing.close(this::leave)
                        .then(Mono.<Void>fromRunnable(() -> factory.tell(listener -> listener.closed(url.redacted())))))
                .then(Mono.fromRunnable(this::gone));
    }

    private void evictOnceIdle() {
        long timeout = factory.idleTimeout().toMillis();
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

    private void leave() {
        cache.closing(this);
        left.tryEmitEmpty();
    }

    private void gone() {
        state.set(Mark.CLOSED);
        engine = null;
        idleTimer.dispose();
        if (placed) {
            placed = false;
            factory.limit().free();
        }
        cache.closed(this);
        left.tryEmitEmpty();
    }
}
