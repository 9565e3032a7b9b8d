package dev.r2dbcengine.work;

import org.jspecify.annotations.Nullable;

/**
 * A unit of work could not do what it was asked to. What the database itself says arrives as the driver's own exception.
 * No message holds a bound value.
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
