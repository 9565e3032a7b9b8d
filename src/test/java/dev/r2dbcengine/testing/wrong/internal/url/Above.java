package dev.r2dbcengine.testing.wrong.internal.url;

import dev.r2dbcengine.testing.wrong.internal.pool.Inner;

/** Imports an internal package above its own. */
public final class Above {
    Inner imports = new Inner();
}
