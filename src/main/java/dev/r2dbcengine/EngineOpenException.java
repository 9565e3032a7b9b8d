package dev.r2dbcengine;

import dev.r2dbcengine.dialect.Printable;
import org.jspecify.annotations.Nullable;

/**
 * An engine could not be opened: the URL cannot be read, the driver is missing, the database refuses or does not
 * answer. The message says what to do; the driver's own exception is the cause. Nothing is kept of a failed opening:
 * the next subscription tries anew.
 */
public class EngineOpenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** See {@link #url()}. */
    private final String url;

    EngineOpenException(String url, String problem, @Nullable Throwable cause) {
        super(Printable.line("Cannot open " + url + ": " + problem), cause);
        this.url = Printable.line(url);
    }

    /** {@return the URL of the engine, without password and options} */
    public final String url() {
        return url;
    }
}
