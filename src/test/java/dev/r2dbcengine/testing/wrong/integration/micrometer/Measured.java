package dev.r2dbcengine.testing.wrong.integration.micrometer;

/** Is imported by those that may not. */
public final class Measured {}
