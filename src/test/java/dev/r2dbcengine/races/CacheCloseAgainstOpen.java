package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.EngineCacheClosedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The first subscriber, while the whole cache is closed. */
@JCStressTest
@State
@Outcome(id = "opened", expect = ACCEPTABLE, desc = "The opening came before the close")
@Outcome(id = "refused", expect = ACCEPTABLE, desc = "The close came before or in between")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class CacheCloseAgainstOpen {
    private final RacedCache raced = RacedCache.synchronous();
    private final Answer[] answers = new Answer[2];

    @Actor
    public void open() {
        answers[0] = Answer.to(raced.pool());
    }

    @Actor
    public void close() {
        answers[1] = Answer.to(raced.cache().close());
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        if (!isRefused(Answer.to(raced.pool()))) {
            raced.fault(Fault.CLOSED_POOL);
        }
        boolean opened = answers[0].pool() != null;
        String told = isRefused(answers[0]) ? "refused" : "neither a pool nor refused";
        result.r1 = raced.seen(opened ? "opened" : told);
    }

    private static boolean isRefused(Answer answer) {
        return answer.error() instanceof EngineCacheClosedException;
    }
}
