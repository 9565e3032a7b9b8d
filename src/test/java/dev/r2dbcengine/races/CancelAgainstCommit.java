package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The subscriber of a unit cancels while its body completes. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "committed", expect = ACCEPTABLE, desc = "The commit was sent first")
@Outcome(id = "rolled back", expect = ACCEPTABLE, desc = "The cancellation was first")
public class CancelAgainstCommit {
    private final RacedUnit unit = new RacedUnit();

    public CancelAgainstCommit() {
        RecordingSubscriber.of(unit.work().sql("earlier").update());
    }

    @Actor
    public void complete() {
        unit.complete();
    }

    @Actor
    public void cancel() {
        unit.cancel();
    }

    @Arbiter
    public void observe(L_Result result) {
        result.r1 = unit.outcome();
    }
}
