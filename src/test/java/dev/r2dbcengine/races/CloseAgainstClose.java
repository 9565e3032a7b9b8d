package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.r2dbc.pool.ConnectionPool;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads close one engine. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "closed", expect = ACCEPTABLE, desc = "Both subscribers completed when the engine was closed")
public class CloseAgainstClose {
    private final RacedCache raced = RacedCache.synchronous();
    private final @Nullable ConnectionPool pool = raced.expectPool();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    @Actor
    public void one() {
        subscribers[0] = RecordingSubscriber.of(raced.engine().close());
    }

    @Actor
    public void other() {
        subscribers[1] = RecordingSubscriber.of(raced.engine().close());
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        if (raced.closings() != 1) {
            raced.fault(Fault.CLOSED_TWICE);
        }
        if (!raced.cache().engines().isEmpty()) {
            raced.fault(Fault.LEAKED_ENGINE);
        }
        if (pool == raced.expectPool()) {
            raced.fault(Fault.CLOSED_POOL);
        }
        result.r1 = raced.verdict("closed");
    }
}
