package dev.r2dbcengine.sql;

import java.time.Duration;
import reactor.util.context.ContextView;

/**
 * A listener for the events of statements. It is called on the thread of the event, by several threads concurrently,
 * and must not block. An exception that it throws is logged and ignored. No event carries a bound value; a driver's
 * exception may contain values in its message.
 */
public interface SqlListener {

    /** A listener that does nothing. */
    SqlListener NONE = new SqlListener() {};

    /**
     * Called immediately before {@link #started}, when a statement is about to be sent to the driver.
     *
     * @param execution the execution
     * @return the Context of this execution in all later events, in which a listener may store state; default: the
     *     subscriber's. The driver does not see it
     */
    default ContextView entering(SqlExecution execution) {
        return execution.context();
    }

    /**
     * Called when a statement is sent to the driver.
     *
     * @param execution the execution; the same object in all its events
     */
    default void started(SqlExecution execution) {}

    /**
     * Called when a statement has completed.
     *
     * @param execution the execution
     * @param rows the number of rows read or changed
     * @param duration the time since {@link #started}
     */
    default void finished(SqlExecution execution, long rows, Duration duration) {}

    /**
     * Called when a statement failed or a row could not be mapped.
     *
     * @param execution the execution
     * @param failure the error of the driver or the mapper. The subscriber of a statement that timed out gets a {@link
     *     StatementTimeoutException} instead, which is reported here only if the driver emits no error
     * @param duration the time since {@link #started}
     */
    default void failed(SqlExecution execution, Throwable failure, Duration duration) {}

    /**
     * Called when the subscriber cancels. A statement that has started runs to completion, and its outcome is reported
     * too.
     *
     * @param execution the execution
     */
    default void cancelled(SqlExecution execution) {}
}
