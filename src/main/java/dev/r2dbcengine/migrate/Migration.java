package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.internal.model.MigrationCode;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * A migration in code. Its class is named by Flyway's rules, such as {@code V3__Fill_names}, {@code R__Refresh_totals}
 * or {@code B10__Everything}, or it overrides version and description. Register it with {@link
 * MigrationRunner#migrations} or a {@link MigrationSource}: locations are not searched for classes, but an unregistered
 * class in a location causes a warning. Its history row has the type {@code JDBC}, as with Flyway, and the name of the
 * class as script.
 */
public interface Migration {

    /**
     * Returns the version.
     *
     * @return the version (default: that in the class name); null for a repeatable migration, which is applied again
     *     whenever its checksum changes
     * @throws InvalidMigrationException if the name of the class is not that of a migration
     */
    default @Nullable MigrationVersion version() {
        return MigrationCode.nameOf(this).version();
    }

    /**
     * Returns the description.
     *
     * @return the description (default: that in the class name)
     * @throws InvalidMigrationException if the name of the class is not that of a migration
     */
    default String description() {
        return MigrationCode.nameOf(this).description();
    }

    /**
     * Returns a number that changes with the migration.
     *
     * @return the checksum (default: null); null means that changes are not detected
     */
    default @Nullable Integer checksum() {
        return null;
    }

    /**
     * Returns whether it runs in the transaction that also records it.
     *
     * @return whether it runs in a transaction (default: true)
     */
    default boolean inTransaction() {
        return true;
    }

    /**
     * Applies the migration.
     *
     * @param engine an engine on the connection of the run, usable until the publisher completes. Its statements run
     *     in the transaction of the migration, with or without the Reactor Context; its units of work are savepoints,
     *     and a unit that fails is rolled back alone. On MariaDB, DDL commits and thereby ends the savepoint of its
     *     unit, which fails: run DDL outside units. If {@link #inTransaction()} is false, each statement commits by
     *     itself, a unit of work is a transaction, and {@link Engine#connectionFactory()} lends the connection
     * @return the work, subscribed once; values are dropped. An error fails the migration. A cancellation of the run
     *     does not cancel it: the run ends after it
     */
    Publisher<?> migrate(Engine engine);
}
