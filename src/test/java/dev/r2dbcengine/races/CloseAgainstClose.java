package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.r2dbc.pool.ConnectionPool;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads close one engine. */
@JCStressTest
@State
@Outcome(id = "closed", expect = ACCEPTABLE, desc = "Both were told when it was closed")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.CLOSED_TWICE, expect = FORBIDDEN, desc = "One engine was closed twice")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class CloseAgainstClose {
    private final RacedCache raced = RacedCache.synchronous();
    private final @Nullable ConnectionPool pool = raced.expectPool();
    private final Answer[] answers = new Answer[2];

    @Actor
    public void one() {
        answers[0] = Answer.to(raced.engine().close());
    }

    @Actor
    public void other() {
        answers[1] = Answer.to(raced.engine().close());
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        if (raced.closings() != 1) {
            raced.fault(Fault.CLOSED_TWICE);
        }
        if (!raced.cache().engines().isEmpty()) {
            raced.fault(Fault.LEFT_BEHIND);
        }
        if (pool == raced.expectPool()) {
            raced.fault(Fault.CLOSED_POOL);
        }
        result.r1 = raced.verdict("closed");
    }
}
