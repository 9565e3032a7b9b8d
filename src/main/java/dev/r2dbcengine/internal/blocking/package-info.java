@NullMarked
package dev.r2dbcengine.internal.blocking;

import org.jspecify.annotations.NullMarked;
