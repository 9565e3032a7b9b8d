package dev.r2dbcengine.migrate;

import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.text.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;

/**
 * Receives the events of migration runs. Methods are called on the thread of the event, possibly by several threads,
 * and must not block. An exception is logged and has no other effect. By default, events that no subscriber receives
 * are logged at WARN, without the message of the driver; the other methods do nothing.
 */
public interface MigrationListener {

    /** A listener with the default methods only. */
    MigrationListener DEFAULT = new MigrationListener() {};

    /**
     * Called when {@code migrate}, {@code undo}, {@code repair}, {@code baseline} or {@code clean} is subscribed to.
     *
     * @param context the Context of the subscriber
     * @return the listener of this run (default: this listener)
     */
    default MigrationListener ofRun(ContextView context) {
        return this;
    }

    /**
     * Called when a run has opened its own connection. A cancelled run waits for its running statement; to end that
     * statement as well, cancel the run and then subscribe to the request.
     *
     * @param cancelStatement asks the database to cancel the statement that this connection runs at that moment: by a
     *     cancel request (PostgreSQL), by KILL QUERY (MariaDB, MySQL), else by closing the connection. Cold; completes
     *     when the database has accepted the request, and fails if it does not; each subscription sends a request. Not
     *     to be subscribed after {@link #ended()}
     */
    default void connected(Mono<Void> cancelStatement) {}

    /**
     * Called when {@code migrate} has read the history under its lock and is about to apply the pending migrations.
     * Not called if a first read, without the lock, finds nothing to do.
     *
     * @param plan the plan of the run
     */
    default void planned(MigrationPlan plan) {}

    /**
     * Called when a migration starts.
     *
     * @param migration the migration; in {@code undo} the {@code U} script
     */
    default void started(ResolvedMigration migration) {}

    /**
     * Called when a migration is applied and recorded (in {@code undo}: when its version is reverted and its row
     * deleted); in a group, after the commit of the group. On PostgreSQL a crash of the server before the end of the run
     * may take back the latest ones; see {@link MigrationRunner#migrate()}.
     *
     * @param migration the migration; in {@code undo} the {@code U} script
     * @param duration the time since it started
     */
    default void applied(ResolvedMigration migration, Duration duration) {}

    /**
     * Called when a migration has failed, was interrupted by a cancellation or, in a group, was rolled back with
     * another one.
     *
     * @param migration the migration; in {@code undo} the {@code U} script
     * @param failure the error
     * @param duration the time since it started
     */
    default void failed(ResolvedMigration migration, Throwable failure, Duration duration) {}

    /**
     * Called after each failed attempt to connect, before the next one.
     *
     * @param waited the time since the first attempt
     * @param failure the error of the attempt; {@link #describe} converts it for a log
     */
    default void connectionAwaited(Duration waited, Throwable failure) {
        log().warn("The database has been awaited for {} s: {}", waited.toSeconds(), describe(failure));
    }

    /**
     * Called while another session holds the lock: when the wait begins, and at growing intervals.
     *
     * @param table the history table that the lock protects
     * @param waited the time since the wait began
     * @param holder the session that holds it; null if the database does not report it, or if it was just released
     */
    default void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {
        log().warn(
                        "{} migrates {}: the lock has been awaited for {} s",
                        holder == null ? "Another session" : holder,
                        Printable.line(table),
                        waited.toSeconds());
    }

    /**
     * Called for a probable mistake, such as a file that is skipped or a location without migrations: once for each
     * operation that reads the files, {@code info} and {@code validate} included.
     *
     * @param warning what was found, and what to do
     */
    default void warned(String warning) {
        log().warn(Printable.line(warning));
    }

    /**
     * Called when the cleanup after a run fails, of which no subscriber learns: the lock was not released, or the
     * connection was not closed properly.
     *
     * @param call the step that failed
     * @param failure the error
     */
    default void cleanupFailed(String call, Throwable failure) {
        log().warn("After the migrations the {} failed: {}", call, describe(failure));
    }

    /**
     * Called when a run has ended: its work is complete or rolled back, the lock is released, its connection is closed.
     * Called for every run of {@code migrate}, {@code undo}, {@code repair}, {@code baseline} and {@code clean}, also
     * after a cancellation: from then on the process may exit.
     */
    default void ended() {}

    /**
     * Describes a failure for a log, without the message of the driver, which may contain values.
     *
     * @param failure any error
     * @return the message of an engine that did not open, which says what to do; for other errors the result of {@link
     *     Dialect#describe}
     */
    static String describe(Throwable failure) {
        return failure instanceof EngineOpenException
                ? String.valueOf(failure.getMessage())
                : Dialect.describe(failure);
    }

    private static Logger log() {
        return Loggers.getLogger(MigrationListener.class);
    }
}
