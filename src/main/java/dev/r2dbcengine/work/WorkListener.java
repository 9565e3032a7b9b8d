package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * Is told what becomes of units of work. Called on the thread on which it happens: it must not block, and may be called by
 * many threads; what it throws is logged and changes nothing. Unless overridden, what nobody else could see is logged at
 * WARN, without the driver's words, which may carry values; the rest is silent.
 *
 * <p>Of each transaction that has {@linkplain #began begun} exactly one of {@link #committed}, {@link #rolledBack} and
 * {@link #inDoubt} is told, before the connection is given back.
 */
public interface WorkListener {

    /** Takes everything as the defaults do. */
    WorkListener DEFAULT = new WorkListener() {};

    /**
     * A unit that is to have a transaction of its own begins; nothing is sent yet. Told of each attempt, not of units that
     * join or nest.
     *
     * @param unit which one; its Context is that of its subscriber
     * @return the Context of the body, and of the unit in later events; unless overridden the subscriber's
     */
    default Context entering(WorkExecution unit) {
        return unit.context();
    }

    /**
     * A unit is over: its connection, if it had one, is back, the actions after its end are done. Told once of each that was
     * {@linkplain #entering entered}, before its subscriber is told.
     *
     * @param unit which one
     * @param failure what its subscriber gets, or would have got; null when there is none
     */
    default void ended(WorkExecution unit, @Nullable Throwable failure) {}

    /**
     * A transaction has begun. It does so at the first statement of its unit.
     *
     * @param unit which one
     */
    default void began(WorkExecution unit) {}

    /**
     * A transaction is committed, also when its subscriber has left meanwhile.
     *
     * @param unit which one
     * @param duration since it began
     */
    default void committed(WorkExecution unit, Duration duration) {}

    /**
     * A transaction is rolled back.
     *
     * @param unit which one
     * @param duration since it began
     */
    default void rolledBack(WorkExecution unit, Duration duration) {}

    /**
     * Nobody knows whether a transaction was committed or rolled back: the connection was lost, or not answered, at the
     * COMMIT. Not told for a lost ROLLBACK, which the database makes up for itself.
     *
     * @param unit which one
     * @param failure what was told instead
     */
    default void inDoubt(WorkExecution unit, Throwable failure) {
        log().warn("It is not known whether {} was committed: {}", unit.name(), describe(failure));
    }

    /**
     * A unit is run again, because of a failure that may not happen again.
     *
     * @param unit the attempt that failed
     * @param failure why
     */
    default void retrying(WorkExecution unit, Throwable failure) {}

    /**
     * For the first time in a unit, rows of an open stream are kept in memory, because another statement waits for the
     * connection.
     *
     * @param unit which one
     */
    default void rowsBuffered(WorkExecution unit) {}

    /**
     * A statement did not end within the grace time after the body of its unit did, so the database is asked to end it, and
     * nothing is committed.
     *
     * @param unit which one
     */
    default void statementEnded(WorkExecution unit) {
        log().warn("A statement of {} went on after its end, and was ended by force", unit.name());
    }

    /**
     * A call failed, or was not answered in time, whose failure no subscriber gets: a rollback, a return of the connection,
     * a statement whose subscriber has left.
     *
     * @param unit which one
     * @param call what was tried
     * @param failure what went wrong
     */
    default void cleanupFailed(WorkExecution unit, String call, Throwable failure) {
        log().warn("In {}, the {} failed: {}", unit.name(), call, describe(failure));
    }

    /**
     * A connection is closed instead of being used again, because its state is not known.
     *
     * @param unit which one
     */
    default void connectionDiscarded(WorkExecution unit) {
        log().warn("The connection of {} is discarded", unit.name());
    }

    /**
     * An action after the end of a unit failed, or was not over in time. The unit's own end stands.
     *
     * @param unit which one
     * @param failure what went wrong
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
