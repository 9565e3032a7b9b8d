package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.CallbackEvent;

/** A script that runs at an event. */
public record CallbackScript(CallbackEvent event, String description, MigrationScript script) {

    CallbackScript with(PlaceholderSettings placeholders) {
        return new CallbackScript(event, description, script.with(placeholders));
    }
}
