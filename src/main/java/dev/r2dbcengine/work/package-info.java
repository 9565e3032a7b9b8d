/**
 * The unit of work: one transaction on one connection, which commits, rolls back and gives its connection back whatever
 * happens. Start at {@link dev.r2dbcengine.work.UnitOfWork}.
 */
@NullMarked
package dev.r2dbcengine.work;

import org.jspecify.annotations.NullMarked;
