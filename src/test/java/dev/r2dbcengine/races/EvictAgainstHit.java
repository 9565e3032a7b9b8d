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

/** A full cache evicts an engine while it is subscribed to. */
@JCStressTest
@State
@Outcome(id = "old", expect = ACCEPTABLE, desc = "The subscriber came before the eviction")
@Outcome(id = "new", expect = ACCEPTABLE, desc = "The subscriber came after the eviction, and evicted in turn")
@Outcome(
        id = "full",
        expect = ACCEPTABLE,
        desc = "One of the two found the only place taken by an engine that was being opened")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "A failure was told to one who came after it")
@Outcome(id = Fault.LOST_PLACE, expect = FORBIDDEN, desc = "The place of an engine that is gone was not free again")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class EvictAgainstHit {
    private final RacedCache raced = RacedCache.ofOneEngine();
    private final Held held = new Held(raced);
    private final Answer[] answers = new Answer[2];

    @Actor
    public void evict() {
        answers[0] = Answer.to(raced.cache().pool(RacedCache.OTHER));
    }

    @Actor
    public void hit() {
        answers[1] = held.ask();
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        boolean full = isFull(answers[0]) || isFull(answers[1]);
        if (!full && (answers[0].pool() == null || answers[1].pool() == null)) {
            raced.fault(Fault.KEPT_FAILURE);
        }
        raced.expectPlace();
        boolean hit = held.isOld(answers[1]);
        result.r1 = raced.verdict(full ? "full" : hit ? "old" : "new");
    }

    private static boolean isFull(Answer answer) {
        return answer.error() instanceof EngineLimitException;
    }
}
