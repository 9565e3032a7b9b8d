package dev.r2dbcengine;

import io.r2dbc.pool.PoolMetrics;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;

/**
 * A listener for events of the engines of a cache.
 *
 * <p>All URLs are redacted. Methods are called on the thread on which the event occurs and must not block; exceptions
 * that they throw are logged and otherwise ignored. By default, events that no subscriber sees are logged at WARN, and
 * all others are ignored.
 */
public interface EngineListener {

    /** A listener that does not override any method. */
    EngineListener DEFAULT = new EngineListener() {};

    /**
     * Called when the pool of an opening engine was created, before it connects.
     *
     * @param url the redacted URL of the engine
     * @param pool the live metrics of the pool
     */
    default void poolOpened(String url, PoolMetrics pool) {}

    /**
     * Called when a pool was closed, once for each {@link #poolOpened} and with the same object, after acquired
     * connections were awaited. Also called if the engine failed to open.
     *
     * @param url the redacted URL of the engine
     * @param pool the metrics of the pool
     */
    default void poolClosed(String url, PoolMetrics pool) {}

    /**
     * Called when a connection of the pool is requested, for each unit of work and each statement outside one; keep it
     * cheap.
     *
     * @param url the redacted URL of the engine
     * @param context the Reactor Context of the subscriber; empty if the engine itself acquires, to open
     * @return a listener for the outcome of this acquisition; null, as by default, if none is needed
     */
    default @Nullable AcquisitionListener borrowing(String url, ContextView context) {
        return null;
    }

    /**
     * Called when an engine is open, after it connected once and its initializer completed. With {@link
     * EngineSettings.Builder#connectOnOpen connectOnOpen(false)} it has not connected, except to keep an in-memory
     * database alive.
     *
     * @param url the redacted URL of the engine
     * @param duration the time since the first subscription
     */
    default void opened(String url, Duration duration) {}

    /**
     * Called when an engine failed to open, before its waiting subscribers get the error.
     *
     * @param url the redacted URL of the engine
     * @param failure the error that the subscribers get
     */
    default void openFailed(String url, Throwable failure) {}

    /**
     * Called when a URL names settings that the open engine does not have. The settings are ignored.
     *
     * @param url the redacted URL of the engine
     * @param settings the names of the ignored settings
     */
    default void settingsIgnored(String url, Set<String> settings) {
        log().warn("{} is open already; what this URL names besides has no effect: {}", url, settings);
    }

    /**
     * Called when an in-memory database was found to be shut down while its engine is open. Its data is lost; new
     * connections see an empty database.
     *
     * @param url the redacted URL of the engine
     */
    default void databaseLost(String url) {
        log().warn("{} was shut down while its engine was open: its data is lost", url);
    }

    /**
     * Called when a pooled connection is released within a transaction or with autocommit disabled. The transaction is
     * rolled back, and autocommit is enabled again.
     *
     * @param url the redacted URL of the engine
     */
    default void transactionLeftOpen(String url) {
        log().warn(
                        "{}: a connection was released within a transaction, which is rolled back. Commit it or roll it"
                                + " back before the release",
                        url);
    }

    /**
     * Called when the close timeout expires while connections are still acquired. They remain usable and are closed on
     * release.
     *
     * @param url the redacted URL of the engine
     * @param connections the number of connections
     */
    default void connectionsNotReturned(String url, int connections) {
        log().warn("{} is closed; connections that were not released in time: {}", url, connections);
    }

    /**
     * Called when the close timeout expires while an engine is still opening. Its initializer is cancelled next, or its
     * connection is closed as soon as it is there.
     *
     * @param url the redacted URL of the engine
     */
    default void openingNotAwaited(String url) {
        log().warn("{} is still opening after the close timeout: its initializer is cancelled", url);
    }

    /**
     * Called when a connection failed to close while its engine closes.
     *
     * @param url the redacted URL of the engine
     * @param failure the error of the driver
     */
    default void closeFailed(String url, Throwable failure) {
        log().warn(
                        "{}: a connection failed to close ({})",
                        url,
                        failure.getClass().getName());
    }

    /**
     * Called before an idle engine is closed, by the idle timeout or to make room for another engine.
     *
     * @param url the redacted URL of the engine
     */
    default void evicted(String url) {}

    /**
     * Called when an engine is closed.
     *
     * @param url the redacted URL of the engine
     */
    default void closed(String url) {}

    private static Logger log() {
        return Loggers.getLogger(EngineListener.class);
    }
}
