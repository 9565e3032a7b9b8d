package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.r2dbc.pool.ConnectionPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A connection is released while its engine is closed. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "closed", expect = ACCEPTABLE, desc = "The close waited for the connection")
public class CloseAgainstRelease {
    private final RacedCache raced = RacedCache.synchronous();
    private final RecordingSubscriber acquired =
            RecordingSubscriber.of(raced.pool().flatMap(ConnectionPool::create));
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    public CloseAgainstRelease() {
        raced.expectSignals(acquired);
    }

    @Actor
    public void release() {
        subscribers[0] = RecordingSubscriber.of(acquired.connection().close());
    }

    @Actor
    public void close() {
        subscribers[1] = RecordingSubscriber.of(raced.engine().close().doOnSuccess(closed -> expectNoConnection()));
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
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
