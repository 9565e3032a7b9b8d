/** Breaks the rules of the packages, so that {@code PackageOrderTest} can be seen to fail. */
@NullMarked
package dev.r2dbcengine.testing.wrong;

import org.jspecify.annotations.NullMarked;
