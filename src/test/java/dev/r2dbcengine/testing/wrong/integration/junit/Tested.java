package dev.r2dbcengine.testing.wrong.integration.junit;

import dev.r2dbcengine.testing.wrong.integration.micrometer.Measured;

/** Imports the integration that only Spring may import. */
public final class Tested {
    Measured imports = new Measured();
}
