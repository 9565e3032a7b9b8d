package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.work.WorkEndedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A statement is subscribed while the body of its unit completes. */
@JCStressTest
@State
@Outcome(id = "committed", expect = ACCEPTABLE, desc = "It ran, and was committed")
@Outcome(id = "none", expect = ACCEPTABLE, desc = "It was refused, and there was nothing to commit")
@Outcome(id = "refused and run", expect = FORBIDDEN, desc = "It was refused and ran, or neither")
@Outcome(id = "rolled back", expect = FORBIDDEN, desc = "Nobody asked for that")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.CONNECTION_MISUSED, expect = FORBIDDEN, desc = "It ran after the commit, or beside it")
public class StatementAgainstEnd {
    private final RacedUnit unit = new RacedUnit();
    private final Answer statement = new Answer();

    @Actor
    public void statement() {
        unit.work().sql("late").update().subscribe(statement);
    }

    @Actor
    public void complete() {
        unit.complete();
    }

    @Arbiter
    public void look(L_Result result) {
        if (!statement.came()) {
            result.r1 = Fault.NO_ANSWER;
            return;
        }
        boolean refused = statement.error() instanceof WorkEndedException;
        String end = unit.endOrNone();
        result.r1 = refused == (unit.executions() == 0) ? end : "refused and run";
    }
}
