package dev.r2dbcengine;

import io.r2dbc.pool.PoolMetrics;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;

/**
 * Is told what happens to the engines of a cache. Every URL is redacted. The methods are called on the thread on which
 * the event came about and must not block; what they throw is logged and changes nothing. Unless overridden, what
 * nobody else could see is logged at WARN, the rest is silent.
 */
public interface EngineListener {

    /** Takes everything as the defaults do. */
    EngineListener DEFAULT = new EngineListener() {};

    /**
     * A pool was made for an engine that is being opened. Nothing is connected yet.
     *
     * @param url the engine's
     * @param pool its numbers, as they are whenever they are asked
     */
    default void poolOpened(String url, PoolMetrics pool) {}

    /**
     * A pool is closed, its engine with it. Told once of each that {@linkplain #poolOpened was made}, with the same object,
     * after the borrowed connections were awaited; of an engine that failed to open as well.
     *
     * @param url the engine's
     * @param pool its numbers
     */
    default void poolClosed(String url, PoolMetrics pool) {}

    /**
     * A connection of the pool is asked for. Called at each borrow, so that what it costs every statement outside a unit of
     * work and every unit pays.
     *
     * @param url the engine's
     * @param context of the borrower; empty for the engine itself, which borrows to open
     * @return is told how the borrow ends; null, as unless overridden, when nobody wants to know
     */
    default @Nullable AcquisitionListener borrowing(String url, ContextView context) {
        return null;
    }

    /**
     * An engine is open: its initializer has run, and before that it has connected once. With {@link
     * EngineSettings.Builder#connectOnOpen connectOnOpen(false)} it has not, except to hold an in-memory database.
     *
     * @param url the engine's
     * @param duration from the first subscription
     */
    default void opened(String url, Duration duration) {}

    /**
     * An engine failed to open; all who waited for it get the error.
     *
     * @param url the engine's
     * @param failure what they get
     */
    default void openFailed(String url, Throwable failure) {}

    /**
     * A URL named settings that the engine was opened without. It goes on as it is.
     *
     * @param url the engine's
     * @param settings the names of those settings
     */
    default void settingsIgnored(String url, Set<String> settings) {
        log().warn("{} is open already; what this URL names besides has no effect: {}", url, settings);
    }

    /**
     * Somebody shut an in-memory database down while its engine was open. Its data is lost; later connections see an
     * empty database.
     *
     * @param url the engine's
     */
    default void databaseLost(String url) {
        log().warn("{} was shut down while its engine was open: its data is lost", url);
    }

    /**
     * A connection of the pool was released within a transaction, or with autocommit off. What was not committed is rolled
     * back; autocommit is on again for the next borrower.
     *
     * @param url the engine's
     */
    default void transactionLeftOpen(String url) {
        log().warn(
                        "{}: a connection was released within a transaction, which is rolled back. Commit it or roll it"
                                + " back before the release",
                        url);
    }

    /**
     * The close timeout passed while connections were still borrowed. They go on working, and are closed when they come
     * back.
     *
     * @param url the engine's
     * @param connections how many
     */
    default void connectionsNotReturned(String url, int connections) {
        log().warn("{} is closed; connections that were not given back in time: {}", url, connections);
    }

    /**
     * The close timeout passed while an engine was still being opened. It is closed as soon as it is open.
     *
     * @param url the engine's
     */
    default void openingNotAwaited(String url) {
        log().warn("{} was to be closed and is still being opened; it is closed after that", url);
    }

    /**
     * A connection could not be closed properly while its engine was.
     *
     * @param url the engine's
     * @param failure the driver's
     */
    default void closeFailed(String url, Throwable failure) {
        log().warn(
                        "{}: a connection failed to close ({})",
                        url,
                        failure.getClass().getName());
    }

    /**
     * An engine that was not in use makes room for another one, or was idle for too long; it is closed next.
     *
     * @param url the engine's
     */
    default void evicted(String url) {}

    /**
     * An engine is closed.
     *
     * @param url the engine's
     */
    default void closed(String url) {}

    private static Logger log() {
        return Loggers.getLogger(EngineListener.class);
    }
}
