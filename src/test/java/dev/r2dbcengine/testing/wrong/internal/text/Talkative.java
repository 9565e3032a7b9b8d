package dev.r2dbcengine.testing.wrong.internal.text;

import dev.r2dbcengine.testing.wrong.internal.pool.Inner;

/** Imports a package above its own. */
public final class Talkative {
    Inner imports = new Inner();
}
