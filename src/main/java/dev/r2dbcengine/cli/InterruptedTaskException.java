package dev.r2dbcengine.cli;

/** Thrown when Ctrl-C or a signal has cancelled a command. */
final class InterruptedTaskException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InterruptedTaskException(boolean cleanedUp) {
        super(
                cleanedUp
                        ? "Interrupted. Migrations reported as applied stay; the rest is rolled back where the database supports"
                                + " it, else recorded as failed. The lock is released. To see the state, run info"
                        : "Interrupted, but the database still runs a statement. When it detects the closed connection, it rolls"
                                + " the statement back where it can and releases the lock. To see the state, run info");
    }
}
