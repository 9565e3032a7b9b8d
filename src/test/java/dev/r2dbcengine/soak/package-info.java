/**
 * Everything at once, for minutes: what is left behind shows by growing. {@link dev.r2dbcengine.soak.Operation} is what is
 * done, {@link dev.r2dbcengine.soak.Figures} what must not grow.
 */
@NullMarked
package dev.r2dbcengine.soak;

import org.jspecify.annotations.NullMarked;
