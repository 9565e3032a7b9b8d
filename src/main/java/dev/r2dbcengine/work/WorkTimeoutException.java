package dev.r2dbcengine.work;

import java.time.Duration;

/**
 * A timeout of a unit of work: of its body, of a call that ends its transaction, of an action after the end, or of a
 * statement that its body did not wait for.
 */
public final class WorkTimeoutException extends WorkException {

    private static final long serialVersionUID = 1L;

    /** See {@link #timeout()}. */
    private final Duration timeout;

    WorkTimeoutException(String message, Duration limit) {
        super(message);
        this.timeout = limit;
    }

    static WorkTimeoutException ofBody(String name, Duration limit) {
        return new WorkTimeoutException(
                name + " did not end within its timeout of " + limit + " and was rolled back", limit);
    }

    static WorkTimeoutException ofCall(String what, Duration limit) {
        return new WorkTimeoutException(
                "The database did not answer the " + what + " within the cleanup timeout of " + limit
                        + "; the connection is discarded",
                limit);
    }

    static WorkTimeoutException ofStatement(String name, Duration limit) {
        return new WorkTimeoutException(
                "A statement of " + name + ", which its body had left, did not end within the grace time of " + limit
                        + ", so that nothing was committed. Let the body wait for its statements, or raise"
                        + " UnitOfWork.graceTime(…)",
                limit);
    }

    /* By then the connection is released, and no database is involved. */
    static WorkTimeoutException ofAction(Duration limit) {
        return new WorkTimeoutException(
                "An action after the end was not over within the cleanup timeout of " + limit
                        + "; it is waited for no longer. Raise UnitOfWork.cleanupTimeout(…) or let it do less",
                limit);
    }

    /**
     * Returns the timeout that passed.
     *
     * @return the timeout
     */
    public Duration timeout() {
        return timeout;
    }
}
