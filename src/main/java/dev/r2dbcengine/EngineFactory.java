package dev.r2dbcengine;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;

/**
 * How a cache makes its engines.
 *
 * @param credentials null: those of the URL
 * @param closeTimeout how long closing waits for borrowed connections
 */
record EngineFactory(
        Function<? super ConnectionFactoryOptions, ? extends ConnectionFactory> drivers,
        @Nullable Function<? super ConnectionFactoryOptions, ? extends Mono<Credentials>> credentials,
        Function<? super ConnectionFactoryOptions, EngineSettings> settings,
        Function<? super Engine, ? extends Publisher<?>> initializer,
        EngineLimit limit,
        Duration idleTimeout,
        Duration closeTimeout,
        Listeners listeners) {

    private static final Logger LOG = Loggers.getLogger(ReactiveEngineCache.class);

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
        return new EnginePool(url, driver(url), settingsOfUrl, this);
    }

    Mono<Void> initialize(ConnectionPool pool) {
        Mono<Void> close = Mono.error(() -> new IllegalStateException(
                "An initializer cannot close the engine that it is to open: let it fail instead"));
        Engine bound =
                Engine.of(Mono.just(pool), () -> pool.getMetadata().getName(), context -> pool, close, listeners);
        return Flux.from(initializer.apply(bound)).then();
    }

    void tell(Consumer<EngineListener> event) {
        try {
            event.accept(listeners.engine());
        } catch (RuntimeException e) {
            LOG.warn("The engine listener failed", e);
        }
    }

    /** The borrower himself, unless somebody wants to know of his borrow. */
    CoreSubscriber<? super Connection> watched(String url, CoreSubscriber<? super Connection> borrower) {
        BorrowListener listener = borrowing(url, borrower.currentContext());
        return listener == null ? borrower : new ToldBorrow(listener, borrower);
    }

    private @Nullable BorrowListener borrowing(String url, ContextView context) {
        try {
            return listeners.engine().borrowing(url, context);
        } catch (RuntimeException e) {
            LOG.warn("The engine listener failed", e);
            return null;
        }
    }

    /** What the subscribers are told of an error: ours as it is, the driver's as the cause of one that says what to do. */
    static Throwable told(EngineUrl url, Throwable error) {
        return error instanceof EngineOpenException
                ? error
                : new EngineOpenException(url.redacted(), problem(error), error);
    }

    /** One driver for the engine; or, with credentials that may change, one for each connection. */
    private Mono<ConnectionFactory> driver(EngineUrl url) {
        if (credentials == null) {
            return Mono.just(driver(url, url.options()));
        }
        return Mono.defer(() -> credentials.apply(url.options()))
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("credentials(…) completed without any")))
                .map(fresh -> driver(
                        url,
                        url.options()
                                .mutate()
                                .option(ConnectionFactoryOptions.USER, fresh.user())
                                .option(ConnectionFactoryOptions.PASSWORD, fresh.password())
                                .build()));
    }

    private ConnectionFactory driver(EngineUrl url, ConnectionFactoryOptions options) {
        ConnectionFactory driver;
        try {
            driver = drivers.apply(options);
        } catch (LinkageError e) {
            // Reactor would let it pass as fatal, and nobody would be answered.
            throw new EngineOpenException(
                    url.redacted(), "the driver does not fit another library of the application; see the cause", e);
        }
        if (driver instanceof ConnectionPool) {
            throw new EngineOpenException(
                    url.redacted(),
                    "connectionFactory(…) returned a pool. Return the driver's factory: it is pooled here",
                    null);
        }
        return driver;
    }

    /** Our own words and the code: a driver's message may carry values. */
    private static String problem(Throwable error) {
        String kind = error.getClass().getSimpleName()
                + sqlState(error).map(", SQLSTATE "::concat).orElse("");
        if (hasCause(error, EngineFactory::isLoginRefused)) {
            return "the database refused the login (" + kind + "). Check user, password and database";
        }
        if (hasCause(error, R2dbcTimeoutException.class::isInstance)) {
            return "the database did not answer in time (" + kind + "). Is it up, and reachable from here?"
                    + " maxCreateConnectionTime and maxAcquireTime limit the wait";
        }
        if (hasCause(error, R2dbcNonTransientResourceException.class::isInstance)
                || hasCause(error, IOException.class::isInstance)) {
            return "the database could not be reached (" + kind + "). Is it up, and are host and port right?";
        }
        return kind + "; the cause says more";
    }

    private static boolean isLoginRefused(Throwable error) {
        return error instanceof R2dbcPermissionDeniedException
                || sqlState(error)
                        .filter(state -> state.startsWith(LOGIN_REFUSED))
                        .isPresent();
    }

    private static Optional<String> sqlState(Throwable error) {
        return error instanceof R2dbcException driver ? Optional.ofNullable(driver.getSqlState()) : Optional.empty();
    }

    /** Some drivers tell a refused login as the cause of a failed connection. */
    private static boolean hasCause(Throwable error, Predicate<Throwable> kind) {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                .limit(10)
                .anyMatch(kind);
    }
}
