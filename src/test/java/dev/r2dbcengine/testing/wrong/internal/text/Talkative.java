package dev.r2dbcengine.testing.wrong.internal.text;

import dev.r2dbcengine.testing.wrong.internal.pool.Inner;

/** Imports a room above its own. */
public final class Talkative {
    Inner imports = new Inner();
}
