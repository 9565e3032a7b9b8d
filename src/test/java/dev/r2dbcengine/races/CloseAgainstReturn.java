package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.r2dbc.pool.ConnectionPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A connection is released while its engine is closed. */
@JCStressTest
@State
@Outcome(id = "closed", expect = ACCEPTABLE, desc = "The close waited for the connection")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.CLOSED_TWICE, expect = FORBIDDEN, desc = "One engine was closed twice")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEAKED_CONNECTION, expect = FORBIDDEN, desc = "A connection outlived its engine or its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
@Outcome(id = Fault.CONNECTION_MISUSED, expect = FORBIDDEN, desc = "A connection was used after its end or by two")
public class CloseAgainstReturn {
    private final RacedCache raced = RacedCache.synchronous();
    private final Answer borrowed = Answer.to(raced.pool().flatMap(ConnectionPool::create));
    private final Answer[] answers = new Answer[2];

    public CloseAgainstReturn() {
        raced.expectAnswers(borrowed);
    }

    @Actor
    public void giveBack() {
        answers[0] = Answer.to(borrowed.connection().close());
    }

    @Actor
    public void close() {
        answers[1] = Answer.to(raced.engine().close().doOnSuccess(closed -> expectNoConnection()));
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers);
        if (raced.closings() != 1) {
            raced.fault(Fault.CLOSED_TWICE);
        }
        result.r1 = raced.verdict("closed");
    }

    private void expectNoConnection() {
        if (raced.driver().openConnections() > 0) {
            raced.fault(Fault.LEAKED_CONNECTION);
        }
    }
}
