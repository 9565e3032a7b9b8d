package dev.r2dbcengine.sql;

/**
 * Carries an error that Reactor regards as fatal and would throw instead of emitting it: a {@link LinkageError} such as
 * {@link NoClassDefFoundError}, a {@link VirtualMachineError} such as {@link StackOverflowError}. Thrown by a function
 * of the application, or by a driver, it reaches the subscriber in this form, so that the subscriber gets a terminal
 * signal and the connection is released. The error itself is the cause. The connection on which it happened is
 * discarded.
 */
public final class FatalErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FatalErrorException(Throwable fatal) {
        super(
                fatal.getClass().getName()
                        + " was thrown where an exception was to be emitted: see the cause, and repair"
                        + " the class path or the code that it names",
                fatal);
    }
}
