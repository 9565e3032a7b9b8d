package dev.r2dbcengine.testing.wrong.migrate;

import dev.r2dbcengine.testing.wrong.internal.pool.Inner;

/** Imports an internal package of another package. */
public final class Outside {
    Inner imports = new Inner();
}
