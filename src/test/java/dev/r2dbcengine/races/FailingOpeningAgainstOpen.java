package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.r2dbcengine.EngineLimitException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** An opening fails while another engine is opened in a cache for one engine. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "opened", expect = ACCEPTABLE, desc = "The other engine was opened")
@Outcome(id = "full", expect = ACCEPTABLE, desc = "maxEngines was reached: the failing engine was still being opened")
@Outcome(id = "failed", expect = ACCEPTABLE, desc = "The other opening was the one that failed")
public class FailingOpeningAgainstOpen {
    private final RacedCache raced = RacedCache.limitedToOneEngineFailingOnce();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    @Actor
    public void fail() {
        subscribers[0] = RecordingSubscriber.of(raced.pool());
    }

    @Actor
    public void open() {
        subscribers[1] = RecordingSubscriber.of(raced.cache().pool(RacedCache.OTHER));
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        raced.expectCapacity();
        result.r1 = raced.verdict(outcome(subscribers[1]));
    }

    private static String outcome(RecordingSubscriber subscriber) {
        if (subscriber.error() instanceof EngineLimitException) {
            return "full";
        }
        return subscriber.pool() != null ? "opened" : "failed";
    }
}
