package dev.r2dbcengine.testing.wrong.migrate;

import dev.r2dbcengine.testing.wrong.internal.pool.Inner;

/** Imports an inner room of another room. */
public final class Outside {
    Inner imports = new Inner();
}
