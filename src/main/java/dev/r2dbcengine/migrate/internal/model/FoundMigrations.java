package dev.r2dbcengine.migrate.internal.model;

import java.util.List;

/**
 * What was found.
 *
 * @param migrations in the order in which they would be applied
 * @param callbacks in the order in which those of one event run
 * @param warnings what somebody should look at
 */
public record FoundMigrations(List<FoundMigration> migrations, List<CallbackScript> callbacks, List<String> warnings) {

    public FoundMigrations {
        migrations = List.copyOf(migrations);
        callbacks = List.copyOf(callbacks);
        warnings = List.copyOf(warnings);
    }

    /** With these placeholders. Nothing is read again that does not depend on them. */
    public FoundMigrations with(PlaceholderSettings placeholders) {
        return new FoundMigrations(
                migrations.stream()
                        .map(migration -> migration.with(placeholders))
                        .toList(),
                callbacks.stream().map(callback -> callback.with(placeholders)).toList(),
                warnings);
    }
}
