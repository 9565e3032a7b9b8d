@NullMarked
package dev.r2dbcengine.migrate.internal.plan;

import org.jspecify.annotations.NullMarked;
