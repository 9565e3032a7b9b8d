package dev.r2dbcengine.migrate;

import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.text.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;

/**
 * Is told what a run does. Called on the thread on which it happens: it must not block, and may be called by many threads;
 * what it throws is logged and changes nothing. Unless overridden, what nobody else could see is logged at WARN, without the
 * driver's words; the rest is silent.
 */
public interface MigrationListener {

    /** Takes everything as the defaults do. */
    MigrationListener DEFAULT = new MigrationListener() {};

    /**
     * A run is subscribed: of {@code migrate}, {@code undo}, {@code repair}, {@code baseline} or {@code clean}.
     *
     * @param context of its subscriber
     * @return who is told of this run; unless overridden this listener, which is told of all
     */
    default MigrationListener ofRun(ContextView context) {
        return this;
    }

    /**
     * A run of {@code migrate} has looked under its lock, and is about to apply what is pending. Not told when its
     * first look, without the lock, has shown that there is nothing to do, nor of other runs.
     *
     * @param plan what it goes by
     */
    default void planned(MigrationPlan plan) {}

    /**
     * A migration begins, or in {@code undo} the script that takes a version back.
     *
     * @param migration which one; in {@code undo} the {@code U} script
     */
    default void started(ResolvedMigration migration) {}

    /**
     * A migration is done and recorded, which in {@code undo} means that the version's row is gone; in a group, after
     * the group's commit.
     *
     * @param migration which one; in {@code undo} the {@code U} script
     * @param duration since it began
     */
    default void applied(ResolvedMigration migration, Duration duration) {}

    /**
     * A migration failed, or was not finished because the subscriber has left; in a group, or was rolled back with another.
     *
     * @param migration which one; in {@code undo} the {@code U} script
     * @param failure why
     * @param duration since it began
     */
    default void failed(ResolvedMigration migration, Throwable failure, Duration duration) {}

    /**
     * The database does not answer yet, and is tried again after a pause. Told of each attempt that failed.
     *
     * @param waited how long it has been awaited
     * @param failure of the attempt; {@link #describe} says how to log it
     */
    default void connectionAwaited(Duration waited, Throwable failure) {
        log().warn("The database has been awaited for {} s: {}", waited.toSeconds(), describe(failure));
    }

    /**
     * Somebody else holds the lock. Told when the waiting begins, and again at growing intervals.
     *
     * @param table the history table that the lock is for
     * @param waited how long it has been awaited
     * @param holder who has it; null when the database does not tell, or it was released just now
     */
    default void lockAwaited(String table, Duration waited, @Nullable LockHolder holder) {
        log().warn(
                        "{} migrates {}: the lock has been awaited for {} s",
                        holder == null ? "Somebody else" : holder,
                        Printable.line(table),
                        waited.toSeconds());
    }

    /**
     * Something is not as it looks as if it was meant: a file that is left out, a location without migrations. Told once by
     * whatever reads the files, looks such as {@code info} and {@code validate} among them.
     *
     * @param warning what, and what to do
     */
    default void warned(String warning) {
        log().warn(Printable.line(warning));
    }

    /**
     * A call after a run failed whose failure no subscriber gets: the lock was not released, or the connection did not close
     * properly.
     *
     * @param call what was tried
     * @param failure what went wrong
     */
    default void cleanupFailed(String call, Throwable failure) {
        log().warn("After the migrations the {} failed: {}", call, describe(failure));
    }

    /**
     * A run is over: what it was at is done or rolled back, the lock released, its connection closed. Told of every run of
     * {@code migrate}, {@code undo}, {@code repair}, {@code baseline} and {@code clean}, and so to one who has cancelled it: he
     * may leave the process now.
     */
    default void ended() {}

    /**
     * Tells a failure for a log without the driver's message, which may carry values.
     *
     * @param failure of an attempt to connect, or any other
     * @return the message of an engine that did not open, which says what to do; of others what {@link Dialect#describe}
     *     says
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
