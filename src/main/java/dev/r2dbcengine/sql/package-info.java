/**
 * SQL statements with named parameters and row mapping to records, on any {@link dev.r2dbcengine.sql.ConnectionSource}.
 */
@NullMarked
package dev.r2dbcengine.sql;

import org.jspecify.annotations.NullMarked;
