package dev.r2dbcengine;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTimeoutException;
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

    EnginePool make(EngineUrl url) {
        EngineSettings settingsOfUrl = settings.apply(url.options()).with(url.settings());
        ConnectionFactory driver = drivers.apply(url.options());
        if (driver instanceof ConnectionPool) {
            throw new EngineOpenException(
                    url.redacted(),
                    "connectionFactory(…) returned a pool. Return the driver's factory: it is pooled here",
                    null);
        }
        return new EnginePool(url, driver, settingsOfUrl);
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

    private static String problem(Throwable error) {
        String kind = error.getClass().getSimpleName();
        String state = error instanceof R2dbcException driver ? driver.getSqlState() : null;
        String what = state == null ? kind : kind + ", SQLSTATE " + state;
        if (error instanceof R2dbcTimeoutException) {
            return what + ": the database did not answer in time. Is it up, and reachable from here?"
                    + " (maxCreateConnectionTime and maxAcquireTime limit the wait)";
        }
        if (error instanceof R2dbcPermissionDeniedException || (state != null && state.startsWith("28"))) {
            return what + ": the database refused the login. Check user, password and database";
        }
        return what;
    }
}
