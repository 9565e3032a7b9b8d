package dev.r2dbcengine.testing.wrong.cli;

import dev.r2dbcengine.testing.wrong.integration.micrometer.Measured;

/** Imports an integration. */
public final class Outward {
    Measured imports = new Measured();
}
