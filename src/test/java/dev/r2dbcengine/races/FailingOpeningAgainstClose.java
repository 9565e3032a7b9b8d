package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.EngineOpenException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** An opening fails while its engine is closed. */
@JCStressTest
@State
@Outcome(id = "failed", expect = ACCEPTABLE, desc = "The subscriber was told of the failure")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "A failure was told to one who came after it")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class FailingOpeningAgainstClose {
    private final RacedCache raced = RacedCache.failingOnce();
    private final Answer[] answers = new Answer[2];

    @Actor
    public void open() {
        answers[0] = Answer.to(raced.pool());
    }

    @Actor
    public void close() {
        answers[1] = Answer.to(raced.engine().close());
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        raced.expectPool();
        boolean failed = answers[0].error() instanceof EngineOpenException;
        result.r1 = raced.verdict(failed ? "failed" : "neither a pool nor the failure");
    }
}
