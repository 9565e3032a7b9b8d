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
import reactor.core.publisher.Mono;

/** One who keeps the {@code Mono} of an open engine asks twice while it is closed. */
@JCStressTest
@State
@Outcome(id = "old, old", expect = ACCEPTABLE, desc = "Both came before the close")
@Outcome(id = "old, new", expect = ACCEPTABLE, desc = "The close came in between")
@Outcome(id = "new, new", expect = ACCEPTABLE, desc = "Both came after the close")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "A failure was told to one who came after it")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class HitAgainstClose {
    private final RacedCache raced = RacedCache.synchronous();
    private final Mono<ConnectionPool> held = raced.pool();
    private final @Nullable ConnectionPool old = Answer.to(held).pool();
    private final Answer[] answers = new Answer[4];
    private volatile boolean closed;

    @Actor
    public void hit() {
        answers[0] = Answer.to(held);
        boolean after = closed;
        answers[1] = Answer.to(held);
        if (after && answers[1].pool() == old) {
            raced.fault(Fault.CLOSED_POOL);
        }
    }

    @Actor
    public void close() {
        answers[2] = Answer.to(raced.engine().close());
        closed = true;
        answers[3] = Answer.to(held);
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        boolean first = isOld(answers[0]);
        boolean second = isOld(answers[1]);
        if (isOld(answers[3]) || (second && !first)) {
            raced.fault(Fault.CLOSED_POOL);
        }
        result.r1 = raced.verdict((first ? "old, " : "new, ") + (second ? "old" : "new"));
    }

    private boolean isOld(Answer answer) {
        ConnectionPool pool = answer.pool();
        if (pool == null) {
            raced.fault(Fault.KEPT_FAILURE);
        }
        return pool == old;
    }
}
