package dev.r2dbcengine.migrate;

/** Code that is given to a source, and lies in a location as well. */
public final class V3__Given implements Idle {}
