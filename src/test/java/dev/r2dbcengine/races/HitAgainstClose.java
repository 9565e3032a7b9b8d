package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A thread subscribes repeatedly to a kept {@code Mono} of an open engine while the engine is closed. */
@JCStressTest
@State
@Outcome(id = "old, old", expect = ACCEPTABLE, desc = "All came before the close")
@Outcome(id = "old, new", expect = ACCEPTABLE, desc = "The close came in between")
@Outcome(id = "new, new", expect = ACCEPTABLE, desc = "All came after the close")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.CLOSED_POOL, expect = FORBIDDEN, desc = "A closed pool was handed to a later subscriber")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "A failure was told to one who came after it")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
public class HitAgainstClose {
    private static final int HITS = 30;

    private final RacedCache raced = RacedCache.synchronous();
    private final Held held = new Held(raced);
    private final List<Answer> hits = new ArrayList<>();
    private final Answer[] closing = new Answer[2];
    private volatile boolean closed;

    @Actor
    public void hit() {
        for (int i = 0; i < HITS; i++) {
            boolean after = closed;
            Answer hit = held.ask();
            hits.add(hit);
            if (after && held.isOld(hit)) {
                raced.fault(Fault.CLOSED_POOL);
            }
        }
    }

    @Actor
    public void close() {
        closing[0] = Answer.to(raced.engine().close());
        closed = true;
        closing[1] = held.ask();
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(closing);
        raced.expectAnswers(hits.toArray(Answer[]::new));
        boolean first = isOld(hits.get(0));
        boolean last = first;
        for (Answer hit : hits) {
            boolean before = last;
            last = isOld(hit);
            if (last && !before) {
                raced.fault(Fault.CLOSED_POOL);
            }
        }
        if (isOld(closing[1])) {
            raced.fault(Fault.CLOSED_POOL);
        }
        result.r1 = raced.verdict((first ? "old, " : "new, ") + (last ? "old" : "new"));
    }

    private boolean isOld(Answer answer) {
        if (answer.pool() == null) {
            raced.fault(Fault.KEPT_FAILURE);
        }
        return held.isOld(answer);
    }
}
