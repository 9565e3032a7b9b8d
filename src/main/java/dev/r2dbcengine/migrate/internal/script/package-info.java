@NullMarked
package dev.r2dbcengine.migrate.internal.script;

import org.jspecify.annotations.NullMarked;
