package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * Receives the events of units of work. Each method is called on the thread on which the event occurs, by many threads
 * concurrently, and must not block. An exception that it throws is logged and has no other effect. The default methods log
 * failures that no subscriber receives at WARN, without the driver's message, which may contain values; all others do nothing.
 *
 * <p>For each transaction that has {@linkplain #began begun}, exactly one of {@link #committed}, {@link #rolledBack} and
 * {@link #inDoubt} is called, before the connection is released.
 */
public interface WorkListener {

    /** A listener with the default methods. */
    WorkListener DEFAULT = new WorkListener() {};

    /**
     * A unit with its own transaction starts; nothing is sent yet. Called for each attempt, but not for units that join or
     * nest.
     *
     * @param unit the unit, with the Context of its subscriber
     * @return the Context of the body, and of the unit in later events; default: the subscriber's Context
     */
    default Context entering(WorkExecution unit) {
        return unit.context();
    }

    /**
     * A unit has ended: its connection is released and the actions after its end have completed. Called once for each unit
     * that was {@linkplain #entering entered}, before its subscriber receives the outcome.
     *
     * @param unit the unit
     * @param failure the error for the subscriber, even if it has cancelled; null if there is none
     */
    default void ended(WorkExecution unit, @Nullable Throwable failure) {}

    /**
     * A transaction has begun, for the first statement of its unit.
     *
     * @param unit the unit
     */
    default void began(WorkExecution unit) {}

    /**
     * A transaction is committed, whether or not its subscriber has cancelled.
     *
     * @param unit the unit
     * @param duration the time since it began
     */
    default void committed(WorkExecution unit, Duration duration) {}

    /**
     * A transaction is rolled back.
     *
     * @param unit the unit
     * @param duration the time since it began
     */
    default void rolledBack(WorkExecution unit, Duration duration) {}

    /**
     * It is not known whether a transaction was committed or rolled back: the connection was lost, or not answered, at the
     * COMMIT. Not called for a lost ROLLBACK, since the database then rolls back by itself.
     *
     * @param unit the unit
     * @param failure the failure of the COMMIT
     */
    default void inDoubt(WorkExecution unit, Throwable failure) {
        log().warn("It is not known whether {} was committed: {}", unit.name(), describe(failure));
    }

    /**
     * A unit is retried after a transient failure.
     *
     * @param unit the attempt that failed
     * @param failure the failure
     */
    default void retrying(WorkExecution unit, Throwable failure) {}

    /**
     * Rows of an open stream are buffered in memory because another statement waits for the connection. Called once per unit.
     *
     * @param unit the unit
     */
    default void rowsBuffered(WorkExecution unit) {}

    /**
     * A statement was still running when the grace time after the end of the body passed. The database is asked to end it,
     * and nothing is committed.
     *
     * @param unit the unit
     */
    default void statementEnded(WorkExecution unit) {
        log().warn("A statement of {} was still running at the end of the grace time and is terminated", unit.name());
    }

    /**
     * A call failed or was not answered in time, and no subscriber receives the failure: a rollback, a release of the
     * connection, a statement whose subscriber has cancelled.
     *
     * @param unit the unit
     * @param call the name of the call
     * @param failure the failure
     */
    default void cleanupFailed(WorkExecution unit, String call, Throwable failure) {
        log().warn("In {}, the {} failed: {}", unit.name(), call, describe(failure));
    }

    /**
     * A connection is closed instead of being reused, because its state is unknown.
     *
     * @param unit the unit
     */
    default void connectionDiscarded(WorkExecution unit) {
        log().warn("The connection of {} is discarded", unit.name());
    }

    /**
     * An action after the end of a unit failed or timed out. The outcome of the unit does not change.
     *
     * @param unit the unit
     * @param failure the failure
     */
    default void hookFailed(WorkExecution unit, Throwable failure) {
        log().warn("An action after the end of {} failed: {}", unit.name(), describe(failure));
    }

    private static Logger log() {
        return Loggers.getLogger(WorkListener.class);
    }

    private static String describe(Throwable failure) {
        return Dialect.describe(failure);
    }
}
