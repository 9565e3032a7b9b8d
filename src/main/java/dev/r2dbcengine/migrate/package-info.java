/** Migrations over R2DBC with Flyway's files, history table and rules. */
@NullMarked
package dev.r2dbcengine.migrate;

import org.jspecify.annotations.NullMarked;
