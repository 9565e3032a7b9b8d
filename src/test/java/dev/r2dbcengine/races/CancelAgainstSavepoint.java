package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.testing.FakeGate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A savepoint that waits behind a statement is cancelled while it becomes the first in the queue. */
@JCStressTest
@State
@Outcome(id = "left", expect = ACCEPTABLE, desc = "It was left first, and nothing of it ran")
@Outcome(id = "ran", expect = ACCEPTABLE, desc = "Its turn came first, and its statement ran")
@Outcome(id = "rolled back", expect = FORBIDDEN, desc = "The unit around it did not commit")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "The unit around it never ended")
@Outcome(id = Fault.CONNECTION_MISUSED, expect = FORBIDDEN, desc = "Two ran at once, or the connection came back twice")
public class CancelAgainstSavepoint {
    private final RacedUnit unit = new RacedUnit();
    private final FakeGate gate = unit.holds("earlier");
    private final Answer savepoint;

    public CancelAgainstSavepoint() {
        Answer.to(unit.work().sql("earlier").update());
        savepoint = Answer.to(unit.work().savepoint(inner -> inner.sql("within").update()));
    }

    @Actor
    public void passOn() {
        gate.release();
    }

    @Actor
    public void leave() {
        savepoint.cancel();
    }

    @Arbiter
    public void look(L_Result result) {
        unit.complete();
        String end = unit.end();
        String savepointsEnd = unit.executions() == 1 ? "left" : "ran";
        result.r1 = end.equals("committed") ? savepointsEnd : end;
    }
}
