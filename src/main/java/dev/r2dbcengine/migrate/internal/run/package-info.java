@NullMarked
package dev.r2dbcengine.migrate.internal.run;

import org.jspecify.annotations.NullMarked;
