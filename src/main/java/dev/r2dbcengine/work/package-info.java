/**
 * The unit of work: one transaction on one connection, which commits or rolls back and releases its connection on every
 * outcome. Start at {@link dev.r2dbcengine.work.UnitOfWork}; {@code UnitEnd} documents the states of a unit.
 */
@NullMarked
package dev.r2dbcengine.work;

import org.jspecify.annotations.NullMarked;
