package dev.r2dbcengine;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * How a cache makes its engines, and closes them.
 *
 * @param closeTimeout how long closing waits for borrowed connections
 */
record EngineFactory(
        Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> drivers,
        Function<? super ConnectionFactoryOptions, EngineSettings> settings,
        Duration closeTimeout,
        EngineListener listener) {

    /** The class of SQLSTATEs that the standard calls "invalid authorization specification". */
    private static final String LOGIN_REFUSED = "28";

    /** The driver on the class path that takes the options. */
    static ConnectionFactory discover(ConnectionFactoryOptions options) {
        ConnectionFactory driver = ConnectionFactories.find(options);
        if (driver == null) {
            throw new EngineOpenException(
                    EngineUrl.of(options, "").redacted(),
                    "no driver on the class path takes this URL. Add the driver '"
                            + options.getValue(ConnectionFactoryOptions.DRIVER) + "' to the dependencies",
                    null);
        }
        return driver;
    }

    EnginePool make(EngineUrl url) {
        EngineSettings settingsOfUrl = settings.apply(url.options()).with(url.settings());
        ConnectionFactory driver = driver(url);
        if (driver instanceof ConnectionPool) {
            throw new EngineOpenException(
                    url.redacted(),
                    "connectionFactory(…) returned a pool. Return the driver's factory: it is pooled here",
                    null);
        }
        return new EnginePool(url, driver, settingsOfUrl);
    }

    private ConnectionFactory driver(EngineUrl url) {
        try {
            return drivers.apply(url.options());
        } catch (LinkageError e) {
            // Reactor would let it pass as fatal, and nobody would be answered.
            throw new EngineOpenException(
                    url.redacted(), "the driver does not fit another library of the application; see the cause", e);
        }
    }

    Mono<Void> close(EnginePool engine, EngineUrl url, Runnable shut) {
        return engine.close(shut, closeTimeout, url.redacted(), listener);
    }

    /** What the subscribers are told of an error: ours as it is, the driver's as the cause of one that says what to do. */
    static Throwable told(EngineUrl url, Throwable error) {
        return error instanceof EngineOpenException
                ? error
                : new EngineOpenException(url.redacted(), problem(error), error);
    }

    /** Our own words and the code: a driver's message may carry values. */
    private static String problem(Throwable error) {
        String state = error instanceof R2dbcException driver ? driver.getSqlState() : null;
        String kind = error.getClass().getSimpleName() + (state == null ? "" : ", SQLSTATE " + state);
        if (error instanceof R2dbcPermissionDeniedException || (state != null && state.startsWith(LOGIN_REFUSED))) {
            return "the database refused the login (" + kind + "). Check user, password and database";
        }
        if (error instanceof R2dbcTimeoutException) {
            return "the database did not answer in time (" + kind + "). Is it up, and reachable from here?"
                    + " maxCreateConnectionTime and maxAcquireTime limit the wait";
        }
        if (error instanceof R2dbcNonTransientResourceException || error instanceof IOException) {
            return "the database could not be reached (" + kind + "). Is it up, and are host and port right?";
        }
        return kind + "; the cause says more";
    }
}
