package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineLimitException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.pool.PoolShutdownException;

/** A full cache evicts an engine while a connection of it is acquired. */
@JCStressTest
@State
@Outcome(id = "done", expect = ACCEPTABLE, desc = "The connection was borrowed in spite of it")
@Outcome(
        id = "full",
        expect = ACCEPTABLE,
        desc = "One of the two found the only place taken by an engine in use or being opened")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.LOST_PLACE, expect = FORBIDDEN, desc = "The place of an engine that is gone was not free again")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEAKED_CONNECTION, expect = FORBIDDEN, desc = "A connection outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
@Outcome(id = Fault.CONNECTION_MISUSED, expect = FORBIDDEN, desc = "A connection was used after its end or by two")
public class EvictAgainstBorrow {
    private static final int BORROWED = 20;

    private final RacedCache raced = RacedCache.ofOneEngine();
    private final Engine engine = raced.engine();
    private final Answer[] answers = new Answer[1 + BORROWED];

    /** Leaves an idle connection in the pool, so an acquisition needs no other thread. */
    public EvictAgainstBorrow() {
        raced.expectAnswers(Answer.to(engine.ping()));
    }

    @Actor
    public void evict() {
        answers[BORROWED] = Answer.to(raced.cache().pool(RacedCache.OTHER));
    }

    /** Repeats, so that the eviction happens in between. */
    @Actor
    public void borrow() {
        for (int i = 0; i < BORROWED; i++) {
            answers[i] = Answer.to(engine.ping());
        }
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        raced.expectPlace();
        result.r1 = raced.verdict(outcome());
    }

    private String outcome() {
        for (Answer answer : answers) {
            Throwable error = answer.error();
            if (error instanceof EngineLimitException) {
                return "full";
            }
            if (error != null) {
                return error instanceof PoolShutdownException ? Fault.CLOSED_POOL : error.toString();
            }
        }
        return "done";
    }
}
