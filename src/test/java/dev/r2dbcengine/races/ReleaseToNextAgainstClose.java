package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.r2dbcengine.Engine;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.publisher.Mono;

/** A connection is released to the next borrower while the engine is closed: it stays open until that borrower has released it. */
@JCStressTest
@State
@Outcome(
        id = "lent",
        expect = ACCEPTABLE,
        desc = "The next borrower got the connection before the close, and could use it")
@Outcome(id = "opened anew", expect = ACCEPTABLE, desc = "The next borrower was led to the next engine")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.KEPT_FAILURE, expect = FORBIDDEN, desc = "The next borrower got an error")
@Outcome(id = Fault.TWO_POOLS, expect = FORBIDDEN, desc = "Two pools were alive at once")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEAKED_CONNECTION, expect = FORBIDDEN, desc = "A connection outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
@Outcome(id = Fault.CONNECTION_MISUSED, expect = FORBIDDEN, desc = "A connection was closed under its borrower")
public class ReleaseToNextAgainstClose {
    private final RacedCache raced = RacedCache.synchronous();
    private final Engine engine = raced.engine();
    private final Answer borrowed = borrow();
    private final Answer next;
    private final Answer[] answers = new Answer[2];

    /** Leaves the next borrower waiting, since the pool has one connection. */
    public ReleaseToNextAgainstClose() {
        raced.expectAnswers(borrowed);
        next = borrow();
    }

    private Answer borrow() {
        return Answer.to(Mono.fromDirect(engine.connectionFactory().create()));
    }

    @Actor
    public void release() {
        answers[0] = Answer.to(borrowed.connection().close());
    }

    @Actor
    public void close() {
        answers[1] = Answer.to(engine.close());
    }

    @Arbiter
    public void look(L_Result result) {
        raced.expectAnswers(answers[0], next);
        String outcome = raced.closings() == 0 ? "lent" : "opened anew";
        if (next.error() != null) {
            raced.fault(Fault.KEPT_FAILURE);
        } else {
            use(next.connection());
        }
        raced.expectAnswers(answers[1]);
        result.r1 = raced.verdict(outcome);
    }

    private void use(Connection connection) {
        Answer used = Answer.to(connection.validate(ValidationDepth.REMOTE));
        Answer back = Answer.to(connection.close());
        raced.expectAnswers(used, back);
    }
}
