package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Outcome;

/** The outcomes that are forbidden in each race; a race adds its own ones. */
@Outcome(id = Fault.NO_SIGNAL, expect = FORBIDDEN, desc = "A subscriber received no signal, or a connection was kept")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were open at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A later subscriber received a closed pool")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool was open after its cache was closed")
@Outcome(id = Fault.LEAKED_CONNECTION, expect = FORBIDDEN, desc = "A connection was open after its cache was closed")
@Outcome(id = Fault.LEAKED_ENGINE, expect = FORBIDDEN, desc = "A closed cache or engine still lists an engine")
@Outcome(id = Fault.CACHED_FAILURE, expect = FORBIDDEN, desc = "A later subscriber received a failure")
@Outcome(id = Fault.LOST_CAPACITY, expect = FORBIDDEN, desc = "A closed engine still counted towards maxEngines")
@Outcome(id = Fault.CLOSED_TWICE, expect = FORBIDDEN, desc = "An engine was not closed exactly once")
@Outcome(id = Fault.CONNECTION_MISUSED, expect = FORBIDDEN, desc = "A connection was used twice at once or after close")
@Outcome(id = Fault.CYCLE_OPENED, expect = FORBIDDEN, desc = "An engine of the cycle was opened")
final class Fault {
    static final String NO_SIGNAL = "no signal";
    static final String TWO_POOLS = "two pools";
    static final String CLOSED_POOL = "closed pool";
    static final String LEAKED_POOL = "leaked pool";
    static final String LEAKED_CONNECTION = "leaked connection";
    static final String LEAKED_ENGINE = "leaked engine";
    static final String CACHED_FAILURE = "cached failure";
    static final String LOST_CAPACITY = "lost capacity";
    static final String CLOSED_TWICE = "closed twice";
    static final String CONNECTION_MISUSED = "connection misused";
    static final String CYCLE_OPENED = "cycle opened";

    private Fault() {}
}
