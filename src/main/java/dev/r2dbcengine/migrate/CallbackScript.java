package dev.r2dbcengine.migrate;

/** A script that runs when something happens. */
record CallbackScript(CallbackEvent event, String description, MigrationScript script) {

    CallbackScript with(PlaceholderSettings placeholders) {
        return new CallbackScript(event, description, script.with(placeholders));
    }
}
