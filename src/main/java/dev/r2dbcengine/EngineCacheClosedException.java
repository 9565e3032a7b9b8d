package dev.r2dbcengine;

/** Thrown if an engine is requested from a {@link ReactiveEngineCache} that is closed. */
public final class EngineCacheClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    EngineCacheClosedException() {
        super("The engine cache is closed and cannot be reopened. Create another one, or close it later:"
                + " after everything that uses its engines has stopped");
    }
}
