@NullMarked
package dev.r2dbcengine.internal.url;

import org.jspecify.annotations.NullMarked;
