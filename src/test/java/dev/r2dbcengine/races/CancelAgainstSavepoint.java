package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.testing.FakeGate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A savepoint that waits behind a statement is cancelled while it becomes the first in the queue. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "cancelled", expect = ACCEPTABLE, desc = "The cancellation was first, and the savepoint never began")
@Outcome(id = "ran", expect = ACCEPTABLE, desc = "The savepoint began first, and its statement ran")
@Outcome(id = "rolled back", expect = FORBIDDEN, desc = "The outer unit did not commit")
public class CancelAgainstSavepoint {
    private final RacedUnit unit = new RacedUnit();
    private final FakeGate gate = unit.hold("earlier");
    private final RecordingSubscriber savepoint;

    public CancelAgainstSavepoint() {
        RecordingSubscriber.of(unit.work().sql("earlier").update());
        savepoint = RecordingSubscriber.of(
                unit.work().savepoint(inner -> inner.sql("within").update()));
    }

    @Actor
    public void releaseGate() {
        gate.release();
    }

    @Actor
    public void cancel() {
        savepoint.cancel();
    }

    @Arbiter
    public void observe(L_Result result) {
        unit.complete();
        String end = unit.outcome();
        String savepointOutcome = unit.executions() == 1 ? "cancelled" : "ran";
        result.r1 = end.equals("committed") ? savepointOutcome : end;
    }
}
