package dev.r2dbcengine.testing.wrong.integration.micrometer;

import dev.r2dbcengine.testing.wrong.integration.junit.Tested;

/** Imports another integration. */
public final class Sideways {
    Tested imports = new Tested();
}
