package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Code that runs when something happens in a run, as the scripts {@code beforeMigrate.sql} and its like do. Scripts and code of
 * one event run one after the other, by description and {@link #name()}. A failure fails the run.
 */
public interface MigrationCallback {

    /**
     * Whether it has something to do at an event.
     *
     * @param event which one
     * @return whether it is called then
     */
    boolean supports(CallbackEvent event);

    /**
     * What it is sorted by among those of one event.
     *
     * @return the name of its class, unless overridden
     */
    default String name() {
        return getClass().getName();
    }

    /**
     * Whether it runs in a transaction, at the events that give each callback one of its own. At those of each migration it
     * is in that of the migration.
     *
     * @param event which one
     * @return true, unless overridden
     */
    default boolean inTransaction(CallbackEvent event) {
        return true;
    }

    /**
     * Does it.
     *
     * @param event what has happened
     * @param migration which one it is about; null where it is about none
     * @param engine leads to the run's own connection, and only there, in a session as it was at the start of the run, as
     *     {@link Migration#migrate}'s does. Of use until the publisher completes
     * @return what is done, subscribed once; values are dropped. It is not cancelled when the subscriber of the run leaves
     */
    Publisher<?> on(CallbackEvent event, @Nullable ResolvedMigration migration, Engine engine);
}
