package dev.r2dbcengine.work;

import java.time.Duration;

/**
 * The time of a unit of work was up, or that of a call to end its transaction, of an action after the end, or of a statement
 * that its body has left.
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

    /* The connection is back by then, and no database was asked. */
    static WorkTimeoutException ofAction(Duration limit) {
        return new WorkTimeoutException(
                "An action after the end was not over within the cleanup timeout of " + limit
                        + "; it is waited for no longer. Raise UnitOfWork.cleanupTimeout(…) or let it do less",
                limit);
    }

    /**
     * What was allowed.
     *
     * @return the timeout
     */
    public Duration timeout() {
        return timeout;
    }
}
