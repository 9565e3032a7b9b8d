@NullMarked
package dev.r2dbcengine.migrate.internal.find;

import org.jspecify.annotations.NullMarked;
