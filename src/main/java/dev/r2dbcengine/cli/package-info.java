/** The command line. It is not part of the main artifact. */
@NullMarked
package dev.r2dbcengine.cli;

import org.jspecify.annotations.NullMarked;
