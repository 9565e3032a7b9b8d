package dev.r2dbcengine.migrate;

/** A script that runs when something happens. */
record MigrationCallback(CallbackEvent event, String description, MigrationScript script) {}
