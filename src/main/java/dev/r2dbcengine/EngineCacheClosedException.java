package dev.r2dbcengine;

/** Somebody asked a {@link ReactiveEngineCache} for an engine after the cache was closed, which is for good. */
public final class EngineCacheClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    EngineCacheClosedException() {
        super("The engine cache is closed, and stays so. Create another one, or close it later:"
                + " after everything that uses its engines has ended");
    }
}
