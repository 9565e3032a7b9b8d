package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.text.TimeSetting;
import dev.r2dbcengine.internal.url.EngineKey;
import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.internal.url.SettingNames;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.sql.UserCode;
import dev.r2dbcengine.work.BoundConnections;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A cache of engines, one for each database URL: all concurrent subscribers of a URL share one connection pool, which
 * is created once.
 *
 * <p><b>Identity.</b> Two URLs identify the same engine if their driver, protocol, host, port (the default port may be
 * omitted), user, database and driver options are equal; the order of the options does not matter. The prefix {@code
 * pool:}, the password and the pool settings are not part of the identity. In-memory databases are identified by their
 * name alone; {@code r2dbc:h2:mem:///} is the single unnamed database of this cache. If two URLs of one engine name
 * different values for the password, a pool setting or an option of an in-memory database, the subscription with the
 * second URL fails with {@link EngineConflictException}.
 *
 * <p><b>Opening</b> starts with the first subscription. It creates the pool, acquires one connection and releases it
 * (see {@link EngineSettings.Builder#connectOnOpen}), and runs the {@linkplain Builder#initializer initializer}.
 * Concurrent subscribers wait for the same opening. It does not see the Reactor Context of any subscriber and continues
 * if subscribers cancel. If it fails, all waiting subscribers get {@link EngineOpenException} and nothing is cached:
 * the next subscription opens the engine again.
 *
 * <p><b>Use, eviction and close.</b> An engine is in use while a connection is acquired, being created or awaited; only
 * engines that are idle and not in memory are evicted, by {@linkplain Builder#idleTimeout idle timeout} or to make room
 * within {@link Builder#maxEngines}. A closing engine first stops lending connections, then waits up to {@link
 * Builder#closeTimeout} for those in use, then closes. Subscribers that arrive in the meantime wait for that first step
 * and then open a new engine, so that at most one pool of a URL lends connections. {@link #close()} closes all engines
 * in this way and rejects every later subscription; a closed cache cannot be reopened.
 *
 * <p><b>In-memory databases</b> live exactly as long as their engine: a connection outside the pool keeps them alive.
 * When the engine closes, the data is lost, unless the URL contains {@code DB_CLOSE_DELAY=-1} or another connection,
 * such as one of another cache, keeps the database open.
 *
 * <p>A cache is thread-safe. None of its methods block.
 */
public final class ReactiveEngineCache implements Closeable {
    private static final int MAX_LOOKUPS = 1024;

    private final ConcurrentHashMap<EngineKey, EngineEntry> engines = new ConcurrentHashMap<>();

    /** Entries that were removed from {@link #engines} and wait for the release of their connections. */
    private final Set<EngineEntry> closing = ConcurrentHashMap.newKeySet();

    private final Map<String, PoolLookup> lookups = new ConcurrentHashMap<>();
    private final String unnamed = "unnamed-" + UUID.randomUUID();
    private final CacheConfiguration configuration;
    private volatile boolean closed;

    private ReactiveEngineCache(CacheConfiguration configuration) {
        this.configuration = configuration;
    }

    /** {@return a cache with default settings} */
    public static ReactiveEngineCache create() {
        return builder().build();
    }

    /** {@return a new builder with default settings} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the pool for a URL, opening the engine on first subscription and sharing it among all subscribers. The
     * engine is looked up at each subscription, so the returned {@code Mono} may be kept: it never emits a pool that
     * was closed before the subscription. It emits on the subscriber's thread if the engine is open, otherwise on the
     * thread that completes the opening. Cancelling stops waiting and does not affect the opening.
     *
     * <p>The pool is owned by the cache. A pool reference that outlives its engine fails with {@link
     * reactor.pool.PoolShutdownException}; keep this {@code Mono} or an {@link Engine} instead. Disposing the pool
     * affects all its users; the next subscription opens a new engine.
     *
     * @param url an R2DBC URL
     * @return the pool; fails with {@link EngineOpenException}, {@link EngineConflictException} or, after {@link
     *     #close()}, {@link EngineCacheClosedException}
     */
    public Mono<ConnectionPool> pool(String url) {
        return lookup(url);
    }

    /**
     * Returns the pool for connection factory options; otherwise like {@link #pool(String)}.
     *
     * @param options the options, as {@link ConnectionFactoryOptions#parse} returns them for a URL
     * @return the pool
     */
    public Mono<ConnectionPool> pool(ConnectionFactoryOptions options) {
        return lookup(options);
    }

    /**
     * Returns a handle on the engine for a URL. The URL is parsed, and the engine opened, on first subscription.
     *
     * @param url an R2DBC URL
     * @return a handle; all handles of one URL share one engine
     */
    public Engine engine(String url) {
        return engine(lookup(url));
    }

    /**
     * Returns a handle on the engine for connection factory options.
     *
     * @param options the options, as {@link ConnectionFactoryOptions#parse} returns them for a URL
     * @return a handle
     */
    public Engine engine(ConnectionFactoryOptions options) {
        return engine(lookup(options));
    }

    /**
     * Returns a handle on the engine for a URL and further options, such as a password from a secret store. The URL is
     * parsed on first subscription. Unlike the errors of {@link ConnectionFactoryOptions#parse}, errors about the URL
     * contain no secrets.
     *
     * @param url an R2DBC URL
     * @param completion maps the options of the URL to those of the engine; called on first subscription, and an
     *     exception that it throws fails the subscription
     * @return a handle
     */
    public Engine engineWith(String url, UnaryOperator<ConnectionFactoryOptions> completion) {
        Objects.requireNonNull(completion, "completion");
        String given = requireUrl(url);
        return engine(new PoolLookup(this, () -> EngineUrl.parse(given, unnamed, completion, configuration.names())));
    }

    /**
     * Returns a handle that resolves one engine for each tenant, by the subscriber's Reactor Context. All tenants use
     * the same driver, so that the dialect is known without a tenant.
     *
     * @param driver the driver of every tenant's URL, such as {@code postgresql}
     * @param url maps the Context to a URL at each subscription; an exception that it throws, for example because the
     *     Context has no tenant, fails the subscription
     * @return a handle; a URL of another driver fails with {@link EngineOpenException}
     */
    public Engine engine(String driver, Function<? super ContextView, String> url) {
        Objects.requireNonNull(url, "url");
        String canonical = EngineUrl.canonical(driver);
        Function<ContextView, PoolLookup> tenant =
                context -> lookup(UserCode.<String>call("The function for a tenant's URL", () -> url.apply(context)))
                        .of(canonical);
        Mono<ConnectionPool> pool = Mono.deferContextual(tenant);
        Dialect dialect = Dialect.ofDriver(canonical);
        return Engine.of(
                pool,
                dialect.equals(Dialect.MYSQL) ? Engine.dialect(pool) : Mono.just(dialect),
                () -> productOf(canonical),
                context -> tenant.apply(context).identity(),
                Mono.deferContextual(context -> tenant.apply(context).close()),
                Mono.deferContextual(context -> tenant.apply(context).replaceConnections()),
                configuration.listeners());
    }

    /** {@return a snapshot of the engines that are opening, open or closing} */
    public List<EngineStatus> engines() {
        return all().map(entry -> entry.status(givenName(entry.key()))).toList();
    }

    /**
     * Closes all engines and the cache. Later subscriptions, and those that wait for an engine, fail with {@link
     * EngineCacheClosedException}. Waits up to the {@linkplain Builder#closeTimeout close timeout} for engines that are
     * opening, and up to the same time for acquired connections. Once subscribed, closing continues if the subscriber
     * cancels. Closing twice is not an error.
     *
     * @return completes when all engines are closed
     */
    @Override
    public Mono<Void> close() {
        return Mono.defer(() -> {
            closed = true;
            lookups.clear();
            return Flux.fromStream(all())
                    .flatMap(EngineEntry::close, Integer.MAX_VALUE)
                    .then();
        });
    }

    /** Returns the entry for a URL, creating it if absent. Does not start opening it. */
    EngineEntry entry(EngineUrl url) {
        EngineEntry entry = engines.get(url.key());
        if (entry == null) {
            entry = engines.computeIfAbsent(url.key(), key -> new EngineEntry(this, configuration, url));
        }
        if (closed) {
            // close() may have run before this entry was added, so close it here; closing twice has no effect.
            entry.close().subscribe();
            throw new EngineCacheClosedException();
        }
        entry.admit(url);
        return entry;
    }

    Mono<Void> close(EngineKey key) {
        EngineEntry entry = engines.get(key);
        return entry == null ? Mono.empty() : entry.close();
    }

    void replaceConnections(EngineKey key) {
        EngineEntry entry = engines.get(key);
        if (entry != null) {
            entry.replaceConnections();
        }
    }

    void closing(EngineEntry entry) {
        closing.add(entry);
        engines.remove(entry.key(), entry);
    }

    void closed(EngineEntry entry) {
        engines.remove(entry.key(), entry);
        closing.remove(entry);
        lookups.values().removeIf(lookup -> lookup.forget(entry));
    }

    /* A closing entry is added to `closing` before it is removed from `engines`, so read `engines` first. */
    Stream<EngineEntry> all() {
        return Stream.<Collection<EngineEntry>>of(engines.values(), closing)
                .flatMap(Collection::stream)
                .distinct();
    }

    private Optional<String> givenName(EngineKey key) {
        return key.inMemory() && key.database().equals(unnamed) ? Optional.of(unnamed) : Optional.empty();
    }

    private Engine engine(PoolLookup lookup) {
        return Engine.of(
                lookup,
                () -> productOf(lookup.driver()),
                context -> lookup.identity(),
                lookup.close(),
                lookup.replaceConnections(),
                configuration.listeners());
    }

    /** The product name that the driver's metadata will report, or the driver's name if the driver is unknown. */
    private static String productOf(String driver) {
        Dialect dialect = Dialect.ofDriver(driver);
        return dialect.equals(Dialect.ANSI) ? driver : dialect.name();
    }

    private PoolLookup lookup(ConnectionFactoryOptions options) {
        Objects.requireNonNull(options, "options");
        return new PoolLookup(this, () -> EngineUrl.of(options, unnamed, configuration.names()));
    }

    /** Caches one lookup per URL to avoid parsing it again. Bounded, since an application may generate URLs. */
    private PoolLookup lookup(String url) {
        PoolLookup lookup = lookups.get(requireUrl(url));
        if (lookup != null) {
            return lookup;
        }
        if (lookups.size() >= MAX_LOOKUPS) {
            lookups.clear();
        }
        return lookups.computeIfAbsent(
                url,
                newUrl -> new PoolLookup(
                        this, () -> EngineUrl.parse(newUrl, unnamed, UnaryOperator.identity(), configuration.names())));
    }

    private static String requireUrl(String url) {
        return Objects.requireNonNull(url, "the URL is null: is a setting or a variable missing?");
    }

    /** A builder of a cache. If an option is set twice, the last value wins. Not thread-safe. */
    public static final class Builder {
        private Function<? super ConnectionFactoryOptions, EngineSettings> settings =
                options -> EngineSettings.defaults();
        private @Nullable Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> connectionFactory;
        private final List<UnaryOperator<ConnectionFactory>> decorators = new ArrayList<>();
        private @Nullable Function<? super ConnectionFactoryOptions, ? extends Mono<Credentials>> credentials;
        private Function<? super Engine, ? extends Publisher<?>> initializer = engine -> Mono.empty();
        private int maxEngines;
        private Duration idleTimeout = Duration.ZERO;
        private Duration closeTimeout = Duration.ofSeconds(30);
        private EngineListener engineListener = EngineListener.DEFAULT;
        private SqlListener sqlListener = SqlListener.NONE;
        private WorkListener workListener = WorkListener.DEFAULT;
        private BoundConnections bound = BoundConnections.NONE;
        private SettingNames names = SettingNames.DEFAULT;

        private Builder() {}

        /**
         * Sets the settings of all engines.
         *
         * @param settings the settings; values that a URL names take precedence
         * @return this builder
         */
        public Builder settings(EngineSettings settings) {
            Objects.requireNonNull(settings, "settings");
            return settings(options -> settings);
        }

        /**
         * Sets the settings of each engine, depending on its URL.
         *
         * @param settings maps the options of the URL to settings; called once for each opening, and an exception that
         *     it throws fails that opening
         * @return this builder
         */
        public Builder settings(Function<? super ConnectionFactoryOptions, EngineSettings> settings) {
            this.settings = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Sets the function that creates connection factories (default: the driver on the class path). It must not
         * return a pool, since the cache creates the pool.
         *
         * @param connectionFactory called once for each opening with the options of the URL, without {@code pool:} and
         *     the pool settings and with the generated name of an unnamed in-memory database; an exception that it
         *     throws fails that opening
         * @return this builder
         */
        public Builder connectionFactory(
                Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> connectionFactory) {
            this.connectionFactory = Objects.requireNonNull(connectionFactory, "connectionFactory");
            return this;
        }

        /**
         * Decorates the driver's connection factories, below the pool, for example to observe the statements by r2dbc-proxy.
         * Decorators apply in the order in which they were added. A decorator may delay calls, so BEGIN is not sent together
         * with the first statement.
         *
         * @param decorator called for each factory that {@link #connectionFactory} or the driver creates; must keep its
         *     metadata
         * @return this builder
         */
        public Builder decorate(UnaryOperator<ConnectionFactory> decorator) {
            decorators.add(Objects.requireNonNull(decorator, "decorator"));
            return this;
        }

        /**
         * Sets the credentials of new connections (default: those of the URL), for passwords that change while the
         * application runs. The function, and then {@link #connectionFactory}, is called for each new physical
         * connection.
         *
         * @param credentials maps the options of the URL to credentials; an error or an empty result fails the
         *     connection
         * @return this builder
         */
        public Builder credentials(
                Function<? super ConnectionFactoryOptions, ? extends Mono<Credentials>> credentials) {
            this.credentials = Objects.requireNonNull(credentials, "credentials");
            return this;
        }

        /**
         * Sets an action to run at each opening of an engine, before any subscriber gets its pool: migrations, test
         * data. It receives the engine that is opening, and must not close it. It may use other engines of the cache,
         * provided that its publisher propagates the Reactor Context. An initializer that waits for its own engine,
         * directly or through other initializers, fails at once with {@link EngineCycleException}. It has no time
         * limit, and a subscriber that cancels or times out does not end it; a close cancels it after {@link
         * #closeTimeout}.
         *
         * @param initializer subscribed once for each opening, without the Context of any subscriber; if it fails, the
         *     engine is closed and all waiting subscribers get the error
         * @return this builder
         */
        public Builder initializer(Function<? super Engine, ? extends Publisher<?>> initializer) {
            this.initializer = Objects.requireNonNull(initializer, "initializer");
            return this;
        }

        /**
         * Sets the maximum number of open engines. To open another engine, the cache evicts the least recently used
         * idle one; if there is none, opening fails with {@link EngineLimitException}. Engines in use, which have a
         * connection acquired, being created or awaited, and in-memory databases, whose data would be lost, are not
         * evicted.
         *
         * @param engines the maximum (default: 0); zero means no limit
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxEngines(int engines) {
            if (engines < 0) {
                throw new IllegalArgumentException(
                        "maxEngines is " + engines + ": it must not be negative; zero means no limit");
            }
            this.maxEngines = engines;
            return this;
        }

        /**
         * Sets the time after which an engine without connections in use is closed. In-memory databases are exempt.
         *
         * @param time the time since the last release of a connection (default: zero); zero disables the timeout
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder idleTimeout(Duration time) {
            this.idleTimeout = TimeSetting.checked(time, "idleTimeout");
            return this;
        }

        /**
         * Sets how long closing an engine waits for its acquired connections. Connections released later are closed on
         * release.
         *
         * @param time the timeout (default: 30 s, the usual grace period of a container that stops); zero does not wait
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder closeTimeout(Duration time) {
            this.closeTimeout = TimeSetting.checked(time, "closeTimeout");
            return this;
        }

        /**
         * Sets the listener for engine events (default: {@link EngineListener#DEFAULT}).
         *
         * @param listener called on the thread on which the event occurs
         * @return this builder
         */
        public Builder listener(EngineListener listener) {
            this.engineListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Sets the listener for statements of the engines (default: {@link SqlListener#NONE}).
         *
         * @param listener called on the thread on which the event occurs
         * @return this builder
         */
        public Builder listener(SqlListener listener) {
            this.sqlListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Sets the listener for units of work of the engines (default: {@link WorkListener#DEFAULT}).
         *
         * @param listener called on the thread on which the event occurs
         * @return this builder
         */
        public Builder listener(WorkListener listener) {
            this.workListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Lets statements and units of work join transactions that a framework has begun on a connection of {@link
         * Engine#connectionFactory()}.
         *
         * @param transactions finds such transactions (default: {@link BoundConnections#NONE})
         * @return this builder
         */
        public Builder boundConnections(BoundConnections transactions) {
            this.bound = Objects.requireNonNull(transactions, "transactions");
            return this;
        }

        /**
         * Sets the names of settings in error messages, for integrations whose users write property names or flags.
         *
         * @param names maps default names to names in messages; the default names are {@code url}, {@code credentials},
         *     {@code dependencies}, {@code connectTimeout} of migrations, and the settings of {@link EngineSettings};
         *     missing entries keep the default name
         * @return this builder
         */
        public Builder settingNames(Map<String, String> names) {
            this.names = SettingNames.of(Map.copyOf(names));
            return this;
        }

        /**
         * Sets one listener for engines, statements and units of work.
         *
         * @param all replaces the three individual listeners
         * @param <L> the type of the listener
         * @return this builder
         */
        public <L extends EngineListener & SqlListener & WorkListener> Builder listeners(L all) {
            EngineListener engines = all;
            SqlListener statements = all;
            WorkListener units = all;
            return listener(engines).listener(statements).listener(units);
        }

        /** {@return a new cache} */
        public ReactiveEngineCache build() {
            SettingNames settingNames = names;
            Function<ConnectionFactoryOptions, ConnectionFactory> drivers = connectionFactory == null
                    ? options -> CacheConfiguration.discover(options, settingNames)
                    : connectionFactory::apply;
            for (UnaryOperator<ConnectionFactory> decorator : decorators) {
                drivers = drivers.andThen(decorator);
            }
            return new ReactiveEngineCache(new CacheConfiguration(
                    drivers,
                    credentials,
                    settings,
                    initializer,
                    new EngineLimit(maxEngines),
                    idleTimeout,
                    closeTimeout,
                    new Listeners(engineListener, sqlListener, workListener, bound),
                    settingNames));
        }
    }
}
