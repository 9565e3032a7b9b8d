package dev.r2dbcengine;

import dev.r2dbcengine.internal.text.Printable;

/** Thrown if {@code maxEngines} is reached and no engine can be evicted: all are opening, in use or in memory. */
public final class EngineLimitException extends EngineOpenException {
    private static final long serialVersionUID = 1L;

    /** See {@link #limit()}. */
    private final int limit;

    EngineLimitException(String url, int limit) {
        super(
                url,
                "the cache holds its " + Printable.count(limit, "engine")
                        + " (maxEngines), and none can be evicted: engines in use and"
                        + " in-memory ones are kept. Raise maxEngines, release connections sooner, or close an engine",
                null);
        this.limit = limit;
    }

    /** {@return the maximum number of open engines} */
    public int limit() {
        return limit;
    }
}
