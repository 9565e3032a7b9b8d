package dev.r2dbcengine.races;

/** The forbidden outcomes of a race. */
final class Fault {
    static final String NO_ANSWER = "no answer";
    static final String TWO_POOLS = "two pools";
    static final String CLOSED_POOL = "closed pool";
    static final String LEAKED_POOL = "leaked pool";
    static final String LEAKED_CONNECTION = "leaked connection";
    static final String LEFT_BEHIND = "left behind";
    static final String KEPT_FAILURE = "kept failure";
    static final String LOST_PLACE = "lost place";
    static final String CLOSED_TWICE = "closed twice";
    static final String CONNECTION_MISUSED = "connection misused";
    static final String CIRCLE_OPENED = "circle opened";

    private Fault() {}
}
