package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The only subscriber cancels while the first connection arrives; then the cache is closed. */
@JCStressTest
@State
@Outcome(id = "opened", expect = ACCEPTABLE, desc = "The subscriber was told in time")
@Outcome(id = "left", expect = ACCEPTABLE, desc = "The subscriber had left")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "A failure was told to one who came after it")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEAKED_CONNECTION, expect = FORBIDDEN, desc = "A connection outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
@Outcome(id = Fault.CONNECTION_MISUSED, expect = FORBIDDEN, desc = "A connection was used after its end or by two")
public class CancelAgainstOpening {
    private final RacedCache raced = RacedCache.connecting();
    private final Answer answer = new Answer();

    @Actor
    public void open() {
        raced.pool().subscribe(answer);
    }

    @Actor
    public void leave() {
        answer.cancel();
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectPool();
        result.r1 = raced.verdict(answer.pool() == null ? "left" : "opened");
    }
}
