package dev.r2dbcengine.migrate;

/**
 * A statement of a script.
 *
 * @param migration the migration of the script
 * @param line the line in which it begins, from 1
 * @param text the text for the driver: placeholders are replaced, the delimiter is removed. Data after a COPY are not
 *     part of it
 */
public record MigrationStatement(ResolvedMigration migration, int line, String text) {}
