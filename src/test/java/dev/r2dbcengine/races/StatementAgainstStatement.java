package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads run a statement of one unit of work. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "committed", expect = ACCEPTABLE, desc = "Both ran, one after the other, and were committed")
@Outcome(id = "lost", expect = FORBIDDEN, desc = "A statement did not run, or ran twice")
@Outcome(id = "rolled back", expect = FORBIDDEN, desc = "Nothing requested a rollback")
public class StatementAgainstStatement {
    private final RacedUnit unit = new RacedUnit();
    private final RecordingSubscriber first = new RecordingSubscriber();
    private final RecordingSubscriber second = new RecordingSubscriber();

    @Actor
    public void one() {
        unit.work().sql("one").update().subscribe(first);
    }

    @Actor
    public void other() {
        unit.work().sql("other").update().subscribe(second);
    }

    @Arbiter
    public void observe(L_Result result) {
        boolean answered = first.awaitTermination() && second.awaitTermination();
        unit.complete();
        String end = answered ? unit.outcome() : Fault.NO_SIGNAL;
        result.r1 = unit.executions() == 2 ? end : "lost";
    }
}
