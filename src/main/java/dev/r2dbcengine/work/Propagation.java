package dev.r2dbcengine.work;

/** What a unit of work does when there is one already, on the same engine, in the Reactor Context of its subscriber. */
public enum Propagation {
    /** Joins it: one transaction, ended by the unit that began it. Without one, begins. The default. */
    REQUIRED,

    /**
     * Begins another transaction, on a connection of its own, while the outer one keeps the one it has. N units on a pool
     * of N that do this at once wait for each other until the acquire timeout ends it.
     */
    REQUIRES_NEW,

    /** Sets a savepoint in it, and rolls back to that when it fails. Without one, begins. */
    NESTED,

    /** Joins it. Without one, fails with {@link WorkException}. */
    MANDATORY
}
