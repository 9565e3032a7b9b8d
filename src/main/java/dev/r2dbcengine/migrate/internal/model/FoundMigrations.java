package dev.r2dbcengine.migrate.internal.model;

import java.util.List;

/**
 * The migrations and callbacks that were found.
 *
 * @param migrations in the order of application
 * @param callbacks in the order in which the callbacks of one event run
 * @param warnings messages for the log and the report
 */
public record FoundMigrations(List<FoundMigration> migrations, List<CallbackScript> callbacks, List<String> warnings) {

    public FoundMigrations {
        migrations = List.copyOf(migrations);
        callbacks = List.copyOf(callbacks);
        warnings = List.copyOf(warnings);
    }

    /** Returns a copy with other placeholders. Values that do not depend on them are not read again. */
    public FoundMigrations with(PlaceholderSettings placeholders) {
        return new FoundMigrations(
                migrations.stream()
                        .map(migration -> migration.with(placeholders))
                        .toList(),
                callbacks.stream().map(callback -> callback.with(placeholders)).toList(),
                warnings);
    }
}
