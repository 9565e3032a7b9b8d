package dev.r2dbcengine.cli;

/** Thrown when Ctrl-C or a signal has cancelled a command. */
final class InterruptedTaskException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * Creates an exception.
     *
     * @param exitCode 128 and the number of the signal
     * @param cleanedUp whether the run has ended
     */
    InterruptedTaskException(int exitCode, boolean cleanedUp) {
        super(
                cleanedUp
                        ? "Interrupted. Migrations reported as applied stay; the rest is rolled back where the database supports"
                                + " it, else recorded as failed. The lock is released. To see the state, run info"
                        : "Interrupted, but the database still runs a statement. When it detects the closed connection, it rolls"
                                + " the statement back where it can and releases the lock. To see the state, run info");
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
