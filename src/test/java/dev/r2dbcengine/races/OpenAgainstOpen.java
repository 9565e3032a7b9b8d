package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two subscribers come first. */
@JCStressTest
@State
@Outcome(id = "shared", expect = ACCEPTABLE, desc = "Both got the pool that one of them opened")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class OpenAgainstOpen {
    private final RacedCache raced = RacedCache.synchronous();
    private final Answer[] asked = new Answer[2];

    @Actor
    public void one() {
        asked[0] = Answer.to(raced.pool());
    }

    @Actor
    public void other() {
        asked[1] = Answer.to(raced.pool());
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(asked);
        if (asked[0].pool() == null || asked[0].pool() != asked[1].pool()) {
            raced.fault(Fault.TWO_POOLS);
        }
        result.r1 = raced.verdict("shared");
    }
}
