package dev.r2dbcengine.testing.wrong.internal.pool;

/** Is shown by a public signature, and imported from below and from a package outside. */
public final class Inner {}
