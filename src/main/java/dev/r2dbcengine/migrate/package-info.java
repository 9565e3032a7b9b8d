/** Migrations with Flyway's files, history table and rules, over R2DBC: finds, parses, plans, locks, runs, records, reports. */
@NullMarked
package dev.r2dbcengine.migrate;

import org.jspecify.annotations.NullMarked;
