package dev.r2dbcengine.testing.wrong.integration.spring;

import dev.r2dbcengine.testing.wrong.integration.junit.Tested;

/** Imports the integration that Spring may not import. */
public final class Sprung {
    Tested imports = new Tested();
}
