package dev.r2dbcengine.cli;

import org.jspecify.annotations.Nullable;

/** What was asked for cannot be meant so: nothing was done. The message says what to write. */
final class WrongUsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongUsageException(String message) {
        this(message, null);
    }

    WrongUsageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
