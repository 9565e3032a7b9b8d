package dev.r2dbcengine.testing.wrong.migrate.internal.run;

/** Is imported from below, and from another room. */
public final class Run {}
