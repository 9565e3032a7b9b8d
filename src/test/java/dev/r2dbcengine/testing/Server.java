package dev.r2dbcengine.testing;

/** The servers of a {@link TestDatabase}. */
public enum Server {
    /** In memory, in this JVM. */
    H2,
    /** A real server in its own process. */
    POSTGRESQL,
    /** A real server in its own process. */
    MARIADB,
    /** The server that a system property names; see {@link OnMySql}. */
    MYSQL;

    /** Returns whether it speaks MySQL's language. */
    public boolean isMySqlFamily() {
        return this == MARIADB || this == MYSQL;
    }
}
