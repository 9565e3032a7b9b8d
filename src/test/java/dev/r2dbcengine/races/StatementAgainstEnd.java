package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.work.WorkEndedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A statement is subscribed while the body of its unit completes. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "committed", expect = ACCEPTABLE, desc = "The statement ran and was committed")
@Outcome(id = "none", expect = ACCEPTABLE, desc = "The statement was rejected, and there was nothing to commit")
@Outcome(id = "rejected and run", expect = FORBIDDEN, desc = "The statement was rejected and ran, or neither")
@Outcome(id = "rolled back", expect = FORBIDDEN, desc = "Nothing requested a rollback")
public class StatementAgainstEnd {
    private final RacedUnit unit = new RacedUnit();
    private final RecordingSubscriber statement = new RecordingSubscriber();

    @Actor
    public void statement() {
        unit.work().sql("late").update().subscribe(statement);
    }

    @Actor
    public void complete() {
        unit.complete();
    }

    @Arbiter
    public void observe(L_Result result) {
        if (!statement.awaitTermination()) {
            result.r1 = Fault.NO_SIGNAL;
            return;
        }
        boolean rejected = statement.error() instanceof WorkEndedException;
        String end = unit.outcomeOrNone();
        result.r1 = rejected == (unit.executions() == 0) ? end : "rejected and run";
    }
}
