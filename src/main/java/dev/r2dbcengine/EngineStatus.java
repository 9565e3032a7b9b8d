package dev.r2dbcengine;

import io.r2dbc.pool.PoolMetrics;
import java.util.Optional;

/**
 * One engine of a cache, as it was at one moment.
 *
 * @param url the engine's, without password and options
 * @param state where it is in its life
 * @param connections of its pool, from its making, while the engine is opening, until it is gone, after the engine was
 *     closing; all zero before and after
 * @param givenName the name that the cache gave to an unnamed in-memory database, for tools that connect beside it
 */
public record EngineStatus(String url, State state, Connections connections, Optional<String> givenName) {

    /** Where an engine is in its life. */
    public enum State {
        /** Its first subscriber has come; nobody has the pool yet. */
        OPENING,
        /** Every subscriber gets the pool. */
        OPEN,
        /** No subscriber gets the pool any more; borrowed connections are awaited. */
        CLOSING,
        /** Nothing of it is left. */
        CLOSED
    }

    /**
     * The connections of a pool, in numbers.
     *
     * @param borrowed are in use
     * @param idle wait for a borrower
     * @param awaited borrowers wait for one
     * @param maxSize may be open at a time
     */
    public record Connections(int borrowed, int idle, int awaited, int maxSize) {
        static final Connections NONE = new Connections(0, 0, 0, 0);

        static Connections of(PoolMetrics metrics) {
            return new Connections(
                    metrics.acquiredSize(),
                    metrics.idleSize(),
                    metrics.pendingAcquireSize(),
                    metrics.getMaxAllocatedSize());
        }
    }
}
