package dev.r2dbcengine;

import java.util.Optional;

/**
 * A snapshot of one engine of a cache.
 *
 * @param url the redacted URL: no password and no options
 * @param state the state of the engine
 * @param connections the connections of its pool; all zero while there is no pool, early in {@code OPENING} and once
 *     {@code CLOSED}
 * @param givenName the name that the cache generated for an unnamed in-memory database, for tools that connect to it
 */
public record EngineStatus(String url, State state, Connections connections, Optional<String> givenName) {

    /** The state of an engine. */
    public enum State {
        /** The engine has a first subscriber, and no subscriber has the pool yet. */
        OPENING,
        /** Subscribers get the pool. */
        OPEN,
        /** No further subscriber gets the pool; acquired connections are awaited. */
        CLOSING,
        /** The engine is closed, or failed to open. */
        CLOSED
    }

    /**
     * The number of connections of a pool.
     *
     * @param borrowed acquired connections
     * @param idle idle connections
     * @param awaited pending acquisitions
     * @param maxSize the maximum number of open connections
     */
    public record Connections(int borrowed, int idle, int awaited, int maxSize) {
        static final Connections NONE = new Connections(0, 0, 0, 0);
    }
}
