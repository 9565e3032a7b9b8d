@NullMarked
package dev.r2dbcengine.internal.pool;

import org.jspecify.annotations.NullMarked;
