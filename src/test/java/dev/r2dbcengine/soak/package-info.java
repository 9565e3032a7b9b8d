/**
 * All operations at once, for minutes: leaks show as growth. {@link dev.r2dbcengine.soak.Operation} is the work, {@link
 * dev.r2dbcengine.soak.Figures} the figures that must not grow.
 */
@NullMarked
package dev.r2dbcengine.soak;

import org.jspecify.annotations.NullMarked;
