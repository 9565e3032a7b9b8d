package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.TimeSetting;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.sql.UserCode;
import dev.r2dbcengine.work.BoundConnections;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
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
 * One engine for each database URL: every concurrent subscriber of a URL gets the same connection pool, created once.
 *
 * <p><b>Identity.</b> Two URLs mean one engine if they agree in driver, protocol, host, port (the default one may be left
 * out), user, database and driver options, in whatever order; {@code pool:} is ignored, the password and the pool's
 * settings do not count. In-memory databases are one engine if they agree in the name; {@code r2dbc:h2:mem:///} is the
 * one unnamed database of this cache. Two URLs of one engine that name different values for the password, a setting of
 * the pool, or an option of an in-memory database: the second gets {@link EngineConflictException}.
 *
 * <p><b>Opening</b> starts with the first subscription and makes the pool, connects once and gives that connection back;
 * see {@link EngineSettings.Builder#connectOnOpen}. All who subscribe meanwhile wait for it. It runs with none of the
 * subscribers' Contexts, and goes on when they leave. If it fails, all who waited get {@link EngineOpenException}, and
 * the next subscriber tries anew.
 *
 * <p><b>In-memory databases</b> live exactly as long as their engine: a connection outside the pool holds them, whatever
 * the pool closes. With the engine the data goes, unless the URL says {@code DB_CLOSE_DELAY=-1} or somebody else, another
 * cache for example, holds the same database.
 *
 * <p>A cache may be shared between threads. Nothing in it blocks.
 */
public final class ReactiveEngineCache implements Closeable {
    private static final int MAX_LOOKUPS = 1024;

    private final ConcurrentHashMap<EngineKey, EngineEntry> engines = new ConcurrentHashMap<>();

    /** They have left the map and wait for what is borrowed from them. */
    private final Set<EngineEntry> closing = ConcurrentHashMap.newKeySet();

    private final Map<String, PoolLookup> lookups = new ConcurrentHashMap<>();
    private final String unnamed = "unnamed-" + UUID.randomUUID();
    private final CacheConfiguration configuration;
    private volatile boolean closed;

    private ReactiveEngineCache(CacheConfiguration configuration) {
        this.configuration = configuration;
    }

    /** {@return a cache with what holds unless something is set} */
    public static ReactiveEngineCache create() {
        return builder().build();
    }

    /** {@return a builder in which nothing is set} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The pool for a URL, opened by its first subscriber and shared by all. The engine is looked up at each
     * subscription, so the returned {@code Mono} may be kept: it never hands out a pool that was closed before. Emits on
     * the subscriber's thread if the engine is open, otherwise where its opening ends. Cancelling means to stop waiting,
     * nothing else.
     *
     * <p>The pool belongs to the cache. Whoever keeps it, rather than this {@code Mono} or an {@link Engine}, gets
     * {@link reactor.pool.PoolShutdownException} from it once the engine is closed. Whoever disposes of it takes it away
     * from all who have it; the next subscription opens anew.
     *
     * @param url an R2DBC URL
     * @return the pool, or {@link EngineOpenException}, {@link EngineConflictException} or, after {@link #close()},
     *     {@link EngineCacheClosedException}
     */
    public Mono<ConnectionPool> pool(String url) {
        return lookup(url);
    }

    /**
     * The pool for options as {@link ConnectionFactoryOptions#parse} gives them; otherwise like {@link #pool(String)}.
     *
     * @param options what a URL would say
     * @return the pool
     */
    public Mono<ConnectionPool> pool(ConnectionFactoryOptions options) {
        return lookup(options);
    }

    /**
     * A handle on the engine for a URL. Nothing is opened, and the URL is not looked at before something is subscribed.
     *
     * @param url an R2DBC URL
     * @return a handle, equal in what it reaches to every other one of this URL
     */
    public Engine engine(String url) {
        return engine(lookup(url));
    }

    /**
     * A handle on the engine for options as {@link ConnectionFactoryOptions#parse} gives them.
     *
     * @param options what a URL would say
     * @return a handle
     */
    public Engine engine(ConnectionFactoryOptions options) {
        return engine(lookup(options));
    }

    /**
     * A handle on the engine for a URL whose options come in part from elsewhere, such as a password from a secret store.
     * The URL is read when something is subscribed, and errors about it hold no secret, which those of {@link
     * ConnectionFactoryOptions#parse} do.
     *
     * @param url an R2DBC URL
     * @param completion given the options of the URL at the first subscription, returns those of the engine; what it throws
     *     fails the subscription
     * @return a handle
     */
    public Engine engineWith(String url, UnaryOperator<ConnectionFactoryOptions> completion) {
        Objects.requireNonNull(completion, "completion");
        String given = requireUrl(url);
        return engine(new PoolLookup(this, () -> EngineUrl.parse(given, unnamed, completion, configuration.names())));
    }

    /**
     * A handle on one engine for each tenant: the URL comes from the Context of whoever subscribes. All tenants are on one
     * driver, so that the handle knows its dialect without a tenant.
     *
     * @param driver the driver of every tenant's URL, such as {@code postgresql}
     * @param url called at each subscription; it fails the subscription by throwing, for a Context without a tenant
     * @return a handle; a URL of another driver fails with {@link EngineOpenException}
     */
    public Engine engine(String driver, Function<? super ContextView, String> url) {
        Objects.requireNonNull(url, "url");
        String canonical = EngineUrl.canonical(driver);
        Function<ContextView, PoolLookup> tenant =
                context -> lookup(UserCode.<String>call("The function for a tenant's URL", () -> url.apply(context)))
                        .of(canonical);
        return Engine.of(
                Mono.deferContextual(tenant),
                Mono.just(Dialect.ofDriver(canonical)),
                () -> productOf(canonical),
                context -> tenant.apply(context).identity(),
                Mono.deferContextual(context -> tenant.apply(context).close()),
                Mono.deferContextual(context -> tenant.apply(context).replaceConnections()),
                configuration.listeners());
    }

    /** {@return the engines that are being opened, open, or being closed, as they are at this moment} */
    public List<EngineStatus> engines() {
        return all().map(entry -> entry.status(givenName(entry.key()))).toList();
    }

    /**
     * Closes all engines and the cache, for good: subscriptions from now on, and those that wait for an engine, get
     * {@link EngineCacheClosedException}. Waits up to the close timeout for engines that are being opened, and up to that
     * time for borrowed connections. Once subscribed, closing
     * goes on when the subscriber leaves; closing twice is no error.
     *
     * @return completes when every engine is closed
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

    /** The engine for a URL, which may be new; its opening is not begun here. */
    EngineEntry entry(EngineUrl url) {
        EngineEntry entry = engines.get(url.key());
        if (entry == null) {
            entry = engines.computeIfAbsent(url.key(), key -> new EngineEntry(this, configuration, url));
        }
        if (closed) {
            // The close has seen this entry, or it came too late for that.
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

    /* Those that close go from the one to the other: the second must not be looked at before the first was read. */
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

    /** What the metadata of its connections will say; of a driver that is not known, its own name. */
    private static String productOf(String driver) {
        Dialect dialect = Dialect.ofDriver(driver);
        return dialect.equals(Dialect.ANSI) ? driver : dialect.name();
    }

    private PoolLookup lookup(ConnectionFactoryOptions options) {
        Objects.requireNonNull(options, "options");
        return new PoolLookup(this, () -> EngineUrl.of(options, unnamed, configuration.names()));
    }

    /** One lookup a URL, so that it need not be parsed again; the bound is there for those who make up URLs. */
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

    /** Collects what a cache is made of; what is set twice holds as set last. Not for use by several threads at a time. */
    public static final class Builder {
        private Function<? super ConnectionFactoryOptions, EngineSettings> settings =
                options -> EngineSettings.defaults();
        private @Nullable Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> connectionFactory;
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
         * The settings of every engine.
         *
         * @param settings apply where a URL names nothing else
         * @return this builder
         */
        public Builder settings(EngineSettings settings) {
            Objects.requireNonNull(settings, "settings");
            return settings(options -> settings);
        }

        /**
         * The settings of each engine, by its URL.
         *
         * @param settings called once an opening; what it throws fails that opening
         * @return this builder
         */
        public Builder settings(Function<? super ConnectionFactoryOptions, EngineSettings> settings) {
            this.settings = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Where connections come from; unless set, the driver on the class path. The factory
         * is not to pool: the cache does.
         *
         * @param connectionFactory called once an opening, with the URL's options less {@code pool:} and the pool's
         *     settings, and with the name that an unnamed in-memory database gets; what it throws fails that opening
         * @return this builder
         */
        public Builder connectionFactory(
                Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> connectionFactory) {
            this.connectionFactory = Objects.requireNonNull(connectionFactory, "connectionFactory");
            return this;
        }

        /**
         * What every connection logs in with, in place of what the URL says: for passwords that change while the
         * application runs. It is asked again for each new connection of the database, and with it
         * {@link #connectionFactory}.
         *
         * @param credentials given the URL's options; an error or an empty answer fails the connection
         * @return this builder
         */
        public Builder credentials(
                Function<? super ConnectionFactoryOptions, ? extends Mono<Credentials>> credentials) {
            this.credentials = Objects.requireNonNull(credentials, "credentials");
            return this;
        }

        /**
         * What is done at each opening of an engine before anybody else gets it: migrations, test data. The engine that it
         * is given is the one being opened; closing that is an error. It may use other engines of the cache, if the
         * publisher keeps the Context; one that waits for its own engine, directly or through others, fails at once with
         * {@link EngineCycleException}.
         *
         * @param initializer subscribed once an opening, with nothing of any subscriber's Context; if it fails, the engine is
         *     closed again and all who wait get the error
         * @return this builder
         */
        public Builder initializer(Function<? super Engine, ? extends Publisher<?>> initializer) {
            this.initializer = Objects.requireNonNull(initializer, "initializer");
            return this;
        }

        /**
         * How many engines may be open at a time. When another is asked for, the one that has been idle the longest is
         * closed; if none is idle, {@link EngineLimitException}. Not closed are engines in use, which have a connection
         * borrowed, on its way or awaited, and in-memory databases, whose data would be lost.
         *
         * @param engines zero, as unless set: no limit
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         */
        public Builder maxEngines(int engines) {
            if (engines < 0) {
                throw new IllegalArgumentException(
                        "maxEngines is " + engines + ": it must not be negative; zero stands for no limit");
            }
            this.maxEngines = engines;
            return this;
        }

        /**
         * After this time without a connection in use an engine is closed; in-memory databases are not.
         *
         * @param time since the last connection came back; zero, as unless set: engines stay
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         */
        public Builder idleTimeout(Duration time) {
            this.idleTimeout = TimeSetting.checked(time, "idleTimeout");
            return this;
        }

        /**
         * How long closing an engine waits for its borrowed connections. Those that come back later are closed then.
         *
         * @param time 30 s unless set, the time after which a container stopping its application loses patience; zero:
         *     does not wait
         * @return this builder
         * @throws IllegalArgumentException when it is negative
         */
        public Builder closeTimeout(Duration time) {
            this.closeTimeout = TimeSetting.checked(time, "closeTimeout");
            return this;
        }

        /**
         * Who is told what happens to the engines.
         *
         * @param listener called on the thread on which it happens
         * @return this builder
         */
        public Builder listener(EngineListener listener) {
            this.engineListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Who is told what becomes of the statements of the engines.
         *
         * @param listener called on the thread on which it happens
         * @return this builder
         */
        public Builder listener(SqlListener listener) {
            this.sqlListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Who is told what becomes of the units of work of the engines.
         *
         * @param listener called on the thread on which it happens
         * @return this builder
         */
        public Builder listener(WorkListener listener) {
            this.workListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Lets statements and units of the engines join transactions that a framework has begun on a connection of {@link
         * Engine#connectionFactory()}.
         *
         * @param transactions finds them; {@link BoundConnections#NONE} unless set
         * @return this builder
         */
        public Builder boundConnections(BoundConnections transactions) {
            this.bound = Objects.requireNonNull(transactions, "transactions");
            return this;
        }

        /**
         * How error messages name what a reader can change, for integrations whose users write property names or flags.
         *
         * @param names by the default name: {@code url}, {@code credentials}, {@code dependencies}, {@code connectTimeout}
         *     of migrations, and the settings of {@link EngineSettings}; the default for those that are missing
         * @return this builder
         */
        public Builder settingNames(Map<String, String> names) {
            this.names = SettingNames.of(Map.copyOf(names));
            return this;
        }

        /**
         * One who is told of all that the other three are told of.
         *
         * @param all takes the place of the three
         * @param <L> its type
         * @return this builder
         */
        public <L extends EngineListener & SqlListener & WorkListener> Builder listeners(L all) {
            EngineListener engines = all;
            SqlListener statements = all;
            WorkListener units = all;
            return listener(engines).listener(statements).listener(units);
        }

        /** {@return the cache} */
        public ReactiveEngineCache build() {
            SettingNames inMessages = names;
            return new ReactiveEngineCache(new CacheConfiguration(
                    connectionFactory == null
                            ? options -> CacheConfiguration.discover(options, inMessages)
                            : connectionFactory,
                    credentials,
                    settings,
                    initializer,
                    new EngineLimit(maxEngines),
                    idleTimeout,
                    closeTimeout,
                    new Listeners(engineListener, sqlListener, workListener, bound),
                    inMessages));
        }
    }
}
