package dev.r2dbcengine.testing;

/** The servers of a {@link TestDatabase}. */
public enum Server {
    /** In memory, in this JVM. */
    H2,
    /** A real one, of its own process. */
    POSTGRESQL,
    /** A real one, of its own process. */
    MARIADB
}
