package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Printable;

/** As many engines are open as may be, and each is in use, in memory, or being opened: none could make room. */
public final class EngineLimitException extends EngineOpenException {
    private static final long serialVersionUID = 1L;

    /** See {@link #limit()}. */
    private final int limit;

    EngineLimitException(String url, int limit) {
        super(
                url,
                "the cache holds its " + Printable.count(limit, "engine")
                        + " (maxEngines), and none of them can make room: those in use and"
                        + " in-memory ones stay. Raise maxEngines, give connections back sooner, or close an engine",
                null);
        this.limit = limit;
    }

    /** {@return how many engines may be open at a time} */
    public int limit() {
        return limit;
    }
}
