package dev.r2dbcengine.testing.wrong.dialect;

import dev.r2dbcengine.testing.wrong.sql.Downward;

/** Imports a package above its own. */
public final class Upward {
    Downward imports = new Downward();
}
