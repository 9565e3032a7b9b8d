package dev.r2dbcengine.cli;

/** Somebody has pressed Ctrl-C, or the process was told to end. */
final class InterruptedTaskException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InterruptedTaskException(boolean over) {
        super(
                over
                        ? "Interrupted. What is reported as applied stays; the rest is rolled back where the database can do"
                                + " that, and else recorded as failed. The lock is released: see with info"
                        : "Interrupted, and the database still runs a statement. It will roll that back where it can, and release the"
                                + " lock, as it finds that nobody is there: see with info");
    }
}
