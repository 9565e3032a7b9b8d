package dev.r2dbcengine;

import java.util.List;

/** The initializer of an engine waits, directly or through others, for that very engine: it would wait for ever. */
public final class EngineCycleException extends EngineOpenException {
    private static final long serialVersionUID = 1L;

    /** Strings, which serialize, whatever list it is. */
    @SuppressWarnings("serial")
    private final List<String> chain;

    EngineCycleException(List<String> chain) {
        super(
                chain.get(0),
                "its initializer waits for itself: " + String.join(" -> ", chain)
                        + ". Use the engine that is given to the initializer, and open others beforehand",
                null);
        this.chain = chain;
    }

    /** {@return the URLs of the engines that wait for one another, the first one again at the end} */
    public List<String> chain() {
        return chain;
    }
}
