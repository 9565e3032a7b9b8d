package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The shared pool is disposed of while another thread subscribes to it. */
@JCStressTest
@State
@Outcome(id = "old", expect = ACCEPTABLE, desc = "The subscriber came before it")
@Outcome(id = "new", expect = ACCEPTABLE, desc = "The subscriber came after it, and opened anew")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "A failure was told to one who came after it")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class DisposeAgainstHit {
    private final RacedCache raced = RacedCache.synchronous();
    private final Held held = new Held(raced);
    private final Answer[] answers = new Answer[2];

    @Actor
    public void dispose() {
        answers[0] = Answer.to(Objects.requireNonNull(held.pool()).disposeLater());
        raced.expectPool();
    }

    @Actor
    public void hit() {
        answers[1] = held.ask();
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        if (answers[1].pool() == null) {
            raced.fault(Fault.KEPT_FAILURE);
        }
        result.r1 = raced.verdict(held.isOld(answers[1]) ? "old" : "new");
    }
}
