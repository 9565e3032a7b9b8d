package dev.r2dbcengine;

import java.util.List;

/** Thrown if the initializer of an engine waits for that engine, directly or through other initializers. */
public final class EngineCycleException extends EngineOpenException {
    private static final long serialVersionUID = 1L;

    /** An immutable list of strings. See {@link #chain()}. */
    @SuppressWarnings("serial")
    private final List<String> chain;

    EngineCycleException(List<String> chain) {
        super(
                chain.get(0),
                "its initializer waits for its own engine: " + String.join(" -> ", chain)
                        + ". Use the engine that the initializer receives, and open other engines beforehand",
                null);
        this.chain = chain;
    }

    /** {@return the redacted URLs of the cycle, in order; the last equals the first} */
    public List<String> chain() {
        return chain;
    }
}
