package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.r2dbc.pool.ConnectionPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two first subscribers; one of them subscribes repeatedly. */
@JCStressTest
@State
@Outcome(id = "shared", expect = ACCEPTABLE, desc = "All got the pool that one of them opened")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class OpenAgainstOpen {
    private static final int ASKED = 30;

    private final RacedCache raced = RacedCache.synchronous();
    private final Answer[] answers = new Answer[1 + ASKED];

    @Actor
    public void one() {
        answers[ASKED] = Answer.to(raced.pool());
    }

    /** Repeats, so that a call meets the moment in which the engine becomes open. */
    @Actor
    public void other() {
        for (int i = 0; i < ASKED; i++) {
            answers[i] = Answer.to(raced.pool());
        }
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        ConnectionPool pool = raced.expectPool();
        for (Answer answer : answers) {
            if (answer.pool() != pool) {
                raced.fault(Fault.TWO_POOLS);
            }
        }
        result.r1 = raced.verdict("shared");
    }
}
