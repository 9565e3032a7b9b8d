package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Code that runs at the events of a run, like scripts such as {@code beforeMigrate.sql}. Scripts and code of one event
 * run one after the other, ordered by description and {@link #name()}. A failure fails the run.
 */
public interface MigrationCallback {

    /**
     * Returns whether it is called at an event.
     *
     * @param event the event
     * @return whether it is called
     */
    boolean supports(CallbackEvent event);

    /**
     * Returns the name by which it is ordered among the callbacks of one event.
     *
     * @return the name (default: that of its class)
     */
    default String name() {
        return getClass().getName();
    }

    /**
     * Returns whether it runs in a transaction of its own. Does not apply to the events of each migration, at which it
     * runs in the transaction of the migration.
     *
     * @param event the event
     * @return whether it runs in a transaction (default: true)
     */
    default boolean inTransaction(CallbackEvent event) {
        return true;
    }

    /**
     * Handles an event.
     *
     * @param event the event
     * @param migration the migration of the event; null if it is not about a migration
     * @param engine an engine on the connection of the run, with the session as it was at the start of the run;
     *     otherwise as in {@link Migration#migrate}. Usable until the publisher completes
     * @return the work, subscribed once; values are dropped. A cancellation of the run does not cancel it
     */
    Publisher<?> on(CallbackEvent event, @Nullable ResolvedMigration migration, Engine engine);
}
