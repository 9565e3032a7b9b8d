@NullMarked
package dev.r2dbcengine.internal.text;

import org.jspecify.annotations.NullMarked;
