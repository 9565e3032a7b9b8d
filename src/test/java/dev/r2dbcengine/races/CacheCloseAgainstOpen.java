package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.r2dbcengine.EngineCacheClosedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The first subscriber, while the whole cache is closed. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "opened", expect = ACCEPTABLE, desc = "The opening was before the close")
@Outcome(id = "refused", expect = ACCEPTABLE, desc = "The close was before or during the opening")
public class CacheCloseAgainstOpen {
    private final RacedCache raced = RacedCache.synchronous();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    @Actor
    public void open() {
        subscribers[0] = RecordingSubscriber.of(raced.pool());
    }

    @Actor
    public void close() {
        subscribers[1] = RecordingSubscriber.of(raced.cache().close());
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        if (!isRefused(RecordingSubscriber.of(raced.pool()))) {
            raced.fault(Fault.CLOSED_POOL);
        }
        boolean opened = subscribers[0].pool() != null;
        String outcome = isRefused(subscribers[0]) ? "refused" : "neither a pool nor refused";
        result.r1 = raced.seen(opened ? "opened" : outcome);
    }

    private static boolean isRefused(RecordingSubscriber subscriber) {
        return subscriber.error() instanceof EngineCacheClosedException;
    }
}
