package dev.r2dbcengine.work;

/** How a unit of work relates to an open unit on the same engine in the Reactor Context of its subscriber. */
public enum Propagation {
    /** Joins the open unit: one transaction, which the unit that began it ends. Without an open unit, begins. The default. */
    REQUIRED,

    /**
     * Begins another transaction on a second connection, while the outer unit keeps its own. If N units on a pool of N
     * connections do this at the same time, they wait for a connection until the acquire timeout.
     */
    REQUIRES_NEW,

    /** Creates a savepoint in the open unit, and rolls back to it on failure. Without an open unit, begins. */
    NESTED,

    /** Joins the open unit. Without one, fails with {@link WorkException}. */
    MANDATORY
}
