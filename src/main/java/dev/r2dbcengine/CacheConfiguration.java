package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.pool.EnginePool;
import dev.r2dbcengine.internal.pool.HostChooser;
import dev.r2dbcengine.internal.pool.ListenerCalls;
import dev.r2dbcengine.internal.pool.PoolOptions;
import dev.r2dbcengine.internal.pool.ShutdownSafePool;
import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.internal.url.HostList;
import dev.r2dbcengine.internal.url.Setting;
import dev.r2dbcengine.internal.url.SettingNames;
import dev.r2dbcengine.sql.FatalErrorException;
import dev.r2dbcengine.sql.UserCode;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.pool.PoolShutdownException;

/**
 * The configuration of a cache, which creates and initializes the pools of its engines.
 *
 * @param credentials the function for credentials; null uses those of the URL
 * @param closeTimeout how long closing waits for acquired connections
 * @param names the names of settings in messages
 */
record CacheConfiguration(
        Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> connectionFactory,
        @Nullable Function<? super ConnectionFactoryOptions, ? extends Mono<Credentials>> credentials,
        Function<? super ConnectionFactoryOptions, EngineSettings> settings,
        Function<? super Engine, ? extends Publisher<?>> initializer,
        EngineLimit limit,
        Duration idleTimeout,
        Duration closeTimeout,
        Listeners listeners,
        SettingNames names) {

    /** Finds a driver for the options on the class path. */
    static ConnectionFactory discover(ConnectionFactoryOptions options, SettingNames names) {
        ConnectionFactory driver = ConnectionFactories.find(options);
        if (driver == null) {
            EngineUrl url = EngineUrl.of(options, "");
            throw new EngineOpenException(url.redacted(), OpenDiagnosis.noDriver(url.key(), names), null);
        }
        return driver;
    }

    EnginePool createPool(EngineUrl url) {
        PoolOptions options = UserCode.call("settings(…)", () -> settings.apply(url.options()))
                .options()
                .with(url.settings());
        return new EnginePool(url, driver(url, drivers(url, options)), options, calls(url), closeTimeout);
    }

    ListenerCalls calls(EngineUrl url) {
        return new ListenerCalls(url.redacted(), listeners.engine());
    }

    Mono<Void> initialize(ShutdownSafePool pool, Mono<Void> replaceConnections) {
        Mono<Void> close = Mono.error(() -> new IllegalStateException(
                "An initializer cannot close the engine that is opening: fail the initializer instead"));
        Mono<ConnectionPool> openPool =
                Mono.defer(() -> pool.isOpen() ? Mono.just(pool) : Mono.error(new PoolShutdownException()));
        Engine bound = Engine.of(
                openPool, () -> pool.getMetadata().getName(), context -> pool, close, replaceConnections, listeners);
        return UserCode.publisher("initializer(…)", () -> initializer.apply(bound))
                .then();
    }

    /** Wraps an error in an {@link EngineOpenException} that says what to do, unless it is one already. */
    Throwable asOpenException(EngineUrl url, Throwable error) {
        return error instanceof EngineOpenException
                ? error
                : new EngineOpenException(url.redacted(), OpenDiagnosis.of(url, error, names), error);
    }

    /** Creates the driver's factory, or one that chooses among the hosts of the URL. */
    private Function<ConnectionFactoryOptions, ConnectionFactory> drivers(EngineUrl url, PoolOptions options) {
        HostList hosts = HostList.of(url.options());
        if (hosts == null) {
            return connectionFactory::apply;
        }
        HostChooser chooser = new HostChooser(
                hosts,
                Dialect.ofDriver(url.key().driver()),
                options.time(Setting.HOST_TIMEOUT),
                options.time(Setting.HOST_RETRY_INTERVAL));
        return all -> chooser.factory(all, connectionFactory);
    }

    /** Returns one factory for the engine or, if credentials may change, one for each connection. */
    private Mono<ConnectionFactory> driver(
            EngineUrl url, Function<ConnectionFactoryOptions, ConnectionFactory> drivers) {
        if (credentials == null) {
            return Mono.just(driver(url, url.options(), drivers));
        }
        return UserCode.<Credentials>publisher("credentials(…)", () -> credentials.apply(url.options()))
                .next()
                .switchIfEmpty(
                        Mono.error(() -> new IllegalStateException("credentials(…) completed without credentials")))
                .map(fresh -> driver(
                        url,
                        url.options()
                                .mutate()
                                .option(ConnectionFactoryOptions.USER, fresh.user())
                                .option(ConnectionFactoryOptions.PASSWORD, fresh.password())
                                .build(),
                        drivers));
    }

    private static ConnectionFactoryOptions withSessionOptions(EngineUrl url, ConnectionFactoryOptions options) {
        try {
            return Dialect.ofDriver(url.key().driver()).withSessionOptions(options);
        } catch (IllegalArgumentException e) {
            throw new EngineOpenException(url.redacted(), String.valueOf(e.getMessage()), null);
        }
    }

    private ConnectionFactory driver(
            EngineUrl url,
            ConnectionFactoryOptions options,
            Function<ConnectionFactoryOptions, ConnectionFactory> drivers) {
        ConnectionFactory driver;
        try {
            ConnectionFactoryOptions complete = withSessionOptions(url, options);
            driver = UserCode.call("connectionFactory(…)", () -> drivers.apply(complete));
        } catch (FatalErrorException e) {
            throw new EngineOpenException(
                    url.redacted(),
                    e.getCause() instanceof LinkageError
                            ? "the driver does not fit another library of the application; see the cause"
                            : "connectionFactory(…) failed with a fatal error; see the cause",
                    e.getCause());
        }
        if (driver instanceof ConnectionPool) {
            throw new EngineOpenException(
                    url.redacted(),
                    "connectionFactory(…) returned a pool. Return the driver's factory: the cache pools it",
                    null);
        }
        return driver;
    }
}
