package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.r2dbcengine.EngineOpenException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** An opening fails while its engine is closed. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "failed", expect = ACCEPTABLE, desc = "The subscriber received the failure")
public class FailingOpeningAgainstClose {
    private final RacedCache raced = RacedCache.failingOnce();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    @Actor
    public void open() {
        subscribers[0] = RecordingSubscriber.of(raced.pool());
    }

    @Actor
    public void close() {
        subscribers[1] = RecordingSubscriber.of(raced.engine().close());
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        raced.expectPool();
        boolean failed = subscribers[0].error() instanceof EngineOpenException;
        result.r1 = raced.verdict(failed ? "failed" : "neither a pool nor the failure");
    }
}
