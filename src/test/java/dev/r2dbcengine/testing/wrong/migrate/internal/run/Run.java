package dev.r2dbcengine.testing.wrong.migrate.internal.run;

/** Is imported from below, and from another package. */
public final class Run {}
