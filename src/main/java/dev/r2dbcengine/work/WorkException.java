package dev.r2dbcengine.work;

import org.jspecify.annotations.Nullable;

/**
 * A failure of a unit of work itself. Failures that the database reports arrive as the driver's own exceptions. No message
 * contains a bound value.
 */
public class WorkException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WorkException(String message) {
        super(message);
    }

    WorkException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
