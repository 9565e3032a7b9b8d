package dev.r2dbcengine;

import dev.r2dbcengine.internal.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an engine cannot be opened: the URL is invalid, the driver is missing, or the database rejects the
 * connection or does not answer. The message says what to do; the cause is the exception of the driver, if any. A
 * failed opening is not cached: the next subscription opens the engine again.
 */
public class EngineOpenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** See {@link #url()}. */
    private final String url;

    /**
     * Creates the exception.
     *
     * @param url of the engine, without password and options
     * @param problem says what is wrong and what to do
     * @param cause null if there is none
     */
    public EngineOpenException(String url, String problem, @Nullable Throwable cause) {
        super(Printable.line("Cannot open " + url + ": " + problem), cause);
        this.url = Printable.line(url);
    }

    /** {@return the redacted URL of the engine: no password and no options} */
    public final String url() {
        return url;
    }
}
