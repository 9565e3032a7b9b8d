package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.EngineOpenException;
import io.r2dbc.pool.ConnectionPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The opening that two subscribers wait for fails; each retries when it receives the error. */
@JCStressTest
@State
@Outcome(id = "shared", expect = ACCEPTABLE, desc = "Both got the pool of the second opening")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "A failure was told to one who came after it")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class FailingOpeningAgainstRetry {
    private final RacedCache raced = RacedCache.failingOnce();
    private final Answer[] answers = new Answer[2];

    @Actor
    public void one() {
        answers[0] = askTwice();
    }

    @Actor
    public void other() {
        answers[1] = askTwice();
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        ConnectionPool pool = raced.expectPool();
        if (answers[0].pool() == null || answers[1].pool() == null) {
            raced.fault(Fault.KEPT_FAILURE);
        }
        if (answers[0].pool() != pool || answers[1].pool() != pool) {
            raced.fault(Fault.TWO_POOLS);
        }
        result.r1 = raced.verdict("shared");
    }

    private Answer askTwice() {
        return Answer.to(raced.pool().onErrorResume(EngineOpenException.class, failure -> raced.pool()));
    }
}
