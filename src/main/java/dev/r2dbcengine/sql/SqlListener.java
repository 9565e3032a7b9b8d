package dev.r2dbcengine.sql;

import java.time.Duration;
import reactor.util.context.ContextView;

/**
 * Is told what becomes of statements. Called on the thread on which it happens: it must not block, and may be called by many
 * threads; what it throws is logged and changes nothing. No bound value is ever told; a driver's exception may carry values in
 * its message.
 */
public interface SqlListener {

    /** Does nothing. */
    SqlListener NONE = new SqlListener() {};

    /**
     * A statement is about to go to the driver; {@link #started} follows at once.
     *
     * @param execution which one
     * @return the Context that it has from now on in all events of this execution, for what a listener keeps of it; unless
     *     overridden the subscriber's. The driver does not get it
     */
    default ContextView entering(SqlExecution execution) {
        return execution.context();
    }

    /**
     * A statement goes to the driver.
     *
     * @param execution which one; the same object in all events of one execution
     */
    default void started(SqlExecution execution) {}

    /**
     * A statement is over and went well.
     *
     * @param execution which one
     * @param rows rows read, or rows changed
     * @param duration since it started
     */
    default void finished(SqlExecution execution, long rows, Duration duration) {}

    /**
     * A statement failed, or its rows did not fit.
     *
     * @param execution which one
     * @param failure as the driver or the mapper told it; the subscriber of a statement whose time is up gets a {@link
     *     StatementTimeoutException} instead, which is told here when the driver keeps silent
     * @param duration since it started
     */
    default void failed(SqlExecution execution, Throwable failure, Duration duration) {}

    /**
     * The subscriber left before the end. The statement, if it has started, goes on to its end, which is told as well.
     *
     * @param execution which one
     */
    default void cancelled(SqlExecution execution) {}
}
