package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.EngineLimitException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** One opening fails and frees its place while another looks for a place. */
@JCStressTest
@State
@Outcome(id = "opened", expect = ACCEPTABLE, desc = "The other engine was opened")
@Outcome(
        id = "full",
        expect = ACCEPTABLE,
        desc = "The other found the only place taken by the engine that was being opened")
@Outcome(id = "failed", expect = ACCEPTABLE, desc = "The other was the one that failed")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.LOST_PLACE, expect = FORBIDDEN, desc = "The place of an engine that is gone was not free again")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class FailingOpeningAgainstOpen {
    private final RacedCache raced = RacedCache.ofOneEngineFailingOnce();
    private final Answer[] answers = new Answer[2];

    @Actor
    public void fail() {
        answers[0] = Answer.to(raced.pool());
    }

    @Actor
    public void open() {
        answers[1] = Answer.to(raced.cache().pool(RacedCache.OTHER));
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        raced.expectPlace();
        result.r1 = raced.verdict(outcome(answers[1]));
    }

    private static String outcome(Answer answer) {
        if (answer.error() instanceof EngineLimitException) {
            return "full";
        }
        return answer.pool() != null ? "opened" : "failed";
    }
}
