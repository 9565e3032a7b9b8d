package dev.r2dbcengine.testing;

/** Where a {@link TestDatabase} can be. */
public enum Server {
    /** In memory, in this JVM. */
    H2,
    /** A real one, of its own process. */
    POSTGRESQL,
    /** A real one, of its own process. */
    MARIADB
}
