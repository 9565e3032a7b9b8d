package dev.r2dbcengine.testing.wrong.dialect;

import dev.r2dbcengine.testing.wrong.sql.Downward;

/** Imports a room above its own. */
public final class Upward {
    Downward imports = new Downward();
}
