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

/** A subscriber of a kept {@code Mono} of an open engine, while the whole cache is closed. */
@JCStressTest
@State
@Outcome(id = "old", expect = ACCEPTABLE, desc = "The subscriber came before the close or met it")
@Outcome(id = "refused", expect = ACCEPTABLE, desc = "The subscriber came after the close")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class CacheCloseAgainstHit {
    private final RacedCache raced = RacedCache.synchronous();
    private final Held held = new Held(raced);
    private final Answer[] answers = new Answer[3];

    @Actor
    public void hit() {
        answers[0] = held.ask();
    }

    @Actor
    public void close() {
        answers[1] = Answer.to(raced.cache().close());
        answers[2] = held.ask();
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        if (!isRefused(answers[2])) {
            raced.fault(Fault.CLOSED_POOL);
        }
        boolean hit = held.isOld(answers[0]);
        String told = isRefused(answers[0]) ? "refused" : "neither the pool nor refused";
        result.r1 = raced.seen(hit ? "old" : told);
    }

    private static boolean isRefused(Answer answer) {
        return answer.error() instanceof EngineCacheClosedException;
    }
}
