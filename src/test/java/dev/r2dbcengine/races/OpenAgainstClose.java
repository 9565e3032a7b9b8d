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

/** The first subscriber, while the engine is closed repeatedly. */
@JCStressTest
@State
@Outcome(id = "open", expect = ACCEPTABLE, desc = "The close came before or in between, and the subscriber opened anew")
@Outcome(id = "closed", expect = ACCEPTABLE, desc = "The close came after the opening")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "A failure was told to one who came after it")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class OpenAgainstClose {
    private static final int CLOSES = 30;

    private final RacedCache raced = RacedCache.synchronous();
    private final Answer[] answers = new Answer[1 + CLOSES];

    @Actor
    public void open() {
        answers[CLOSES] = Answer.to(raced.pool());
    }

    /** Repeats, so that a call meets each state of the entry. */
    @Actor
    public void close() {
        for (int i = 0; i < CLOSES; i++) {
            answers[i] = Answer.to(raced.engine().close());
        }
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        ConnectionPool pool = answers[CLOSES].pool();
        if (pool == null) {
            raced.fault(Fault.KEPT_FAILURE);
        }
        boolean open = pool == raced.expectPool();
        result.r1 = raced.verdict(open ? "open" : "closed");
    }
}
