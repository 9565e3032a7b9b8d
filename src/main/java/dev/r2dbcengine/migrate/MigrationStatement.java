package dev.r2dbcengine.migrate;

/**
 * A statement of a migration's script.
 *
 * @param migration whose script it is
 * @param line in which it begins, from 1
 * @param text as the driver gets it: placeholders replaced, without what ends it. Data that follow a COPY are no part of it
 */
public record MigrationStatement(ResolvedMigration migration, int line, String text) {}
