@NullMarked
package dev.r2dbcengine.migrate.internal.model;

import org.jspecify.annotations.NullMarked;
