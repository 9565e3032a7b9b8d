/** Differences between databases, as immutable values. */
@NullMarked
package dev.r2dbcengine.dialect;

import org.jspecify.annotations.NullMarked;
