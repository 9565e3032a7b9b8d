package dev.r2dbcengine.cli;

import org.jspecify.annotations.Nullable;

/** Thrown for invalid arguments or settings, before anything was done. The message says what to write instead. */
final class WrongUsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongUsageException(String message) {
        this(message, null);
    }

    WrongUsageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
