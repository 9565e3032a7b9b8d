package dev.r2dbcengine.migrate;

/** A script that runs when something happens. */
record CallbackScript(CallbackEvent event, String description, MigrationScript script) {}
