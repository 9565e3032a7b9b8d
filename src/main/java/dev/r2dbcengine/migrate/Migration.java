package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.internal.model.MigrationCode;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * A migration that is code. Its class is named by Flyway's rules, {@code V3__Fill_names} or {@code R__Refresh_totals} or
 * {@code B10__Everything}, or it says version and description itself. It is given to a {@link MigrationSource}: classes are
 * not searched for, but one that lies in a location and was not given is warned of. In the history it has type {@code JDBC}, as
 * Flyway calls code, and the name of its class as script.
 */
public interface Migration {

    /**
     * The version.
     *
     * @return the version; null for a migration that is applied again whenever its checksum changes. Unless overridden,
     *     what the name of the class says
     * @throws InvalidMigrationException if the class is not named as a migration
     */
    default @Nullable MigrationVersion version() {
        return MigrationCode.nameOf(this).version();
    }

    /**
     * The description.
     *
     * @return unless overridden, what the name of the class says
     * @throws InvalidMigrationException if the class is not named as a migration
     */
    default String description() {
        return MigrationCode.nameOf(this).description();
    }

    /**
     * A number that changes with the migration.
     *
     * @return null, which says nothing about changes, unless overridden
     */
    default @Nullable Integer checksum() {
        return null;
    }

    /**
     * Whether it runs in the transaction that also records it.
     *
     * @return true, unless overridden
     */
    default boolean inTransaction() {
        return true;
    }

    /**
     * Does it.
     *
     * @param engine leads to the run's own connection, and only there: its statements run in the migration's transaction,
     *     whether the Reactor Context is kept or not, and its units of work are savepoints of that: a unit that fails is rolled
     *     back alone. On MariaDB, DDL commits and thereby ends the savepoint of its unit, which fails: run DDL outside of units. When this is not {@link #inTransaction()} there is none: each
     *     statement commits by itself, a unit of work is a transaction of its own, and {@link Engine#connectionFactory()}
     *     hands the connection out. Of use until the publisher completes
     * @return what is done, subscribed once; values are dropped. An error fails the migration. It is not cancelled when the
     *     subscriber of the run leaves: the run ends after it
     */
    Publisher<?> migrate(Engine engine);
}
