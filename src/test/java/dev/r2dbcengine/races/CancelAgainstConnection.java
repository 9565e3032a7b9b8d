package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.r2dbc.spi.Connection;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.publisher.BaseSubscriber;

/** A subscriber of an unpooled connection cancels while the connection arrives. */
@JCStressTest
@State
@Outcome(id = "arrived", expect = ACCEPTABLE, desc = "The connection was handed over, and its owner closed it")
@Outcome(id = "left", expect = ACCEPTABLE, desc = "The subscriber had left, and the connection was closed for him")
@Outcome(id = Fault.NO_ANSWER, expect = FORBIDDEN, desc = "A subscriber was never answered")
@Outcome(id = Fault.LEAKED_POOL, expect = FORBIDDEN, desc = "A pool outlived its cache")
@Outcome(id = Fault.LEAKED_CONNECTION, expect = FORBIDDEN, desc = "A connection outlived its cache")
@Outcome(id = Fault.LEFT_BEHIND, expect = FORBIDDEN, desc = "A closed cache still knows an engine")
@Outcome(id = Fault.CONNECTION_MISUSED, expect = FORBIDDEN, desc = "A connection was used after its end or by two")
public class CancelAgainstConnection {
    private final RacedCache raced = RacedCache.synchronous();
    private final Owner owner = new Owner();

    public CancelAgainstConnection() {
        raced.engine().openConnection().subscribe(owner);
    }

    @Actor
    public void leave() {
        owner.cancel();
    }

    @Actor
    public void close() {
        raced.expectAnswers(Answer.to(raced.engine().close()));
    }

    @Arbiter
    public void look(L_Result result) {
        result.r1 = raced.verdict(owner.arrived ? "arrived" : "left");
    }

    /** Closes the connection when it arrives, even after the cancellation. */
    private static final class Owner extends BaseSubscriber<Connection> {
        private volatile boolean arrived;

        @Override
        protected void hookOnNext(Connection connection) {
            arrived = true;
            Answer.to(connection.close());
        }
    }
}
