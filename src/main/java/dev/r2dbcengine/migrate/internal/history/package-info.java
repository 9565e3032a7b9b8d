@NullMarked
package dev.r2dbcengine.migrate.internal.history;

import org.jspecify.annotations.NullMarked;
