package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The subscriber of a unit cancels while its body completes. */
@JCStressTest
@State
@Outcome(id = "committed", expect = ACCEPTABLE, desc = "The commit was sent first")
@Outcome(id = "rolled back", expect = ACCEPTABLE, desc = "The subscriber was first")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "The connection was never given back")
@Outcome(
        id = Fault.CONNECTION_MISUSED,
        expect = FORBIDDEN,
        desc = "Both, or neither, or the connection came back twice")
public class CancelAgainstCommit {
    private final RacedUnit unit = new RacedUnit();

    public CancelAgainstCommit() {
        Answer.to(unit.work().sql("earlier").update());
    }

    @Actor
    public void complete() {
        unit.complete();
    }

    @Actor
    public void leave() {
        unit.leave();
    }

    @Arbiter
    public void look(L_Result result) {
        result.r1 = unit.end();
    }
}
