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

/** A subscriber of a kept {@code Mono} of an open engine, while the whole cache is closed. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "old", expect = ACCEPTABLE, desc = "The subscription was before or during the close")
@Outcome(id = "refused", expect = ACCEPTABLE, desc = "The subscription was after the close")
public class CacheCloseAgainstHit {
    private final RacedCache raced = RacedCache.synchronous();
    private final KeptMono keptMono = new KeptMono(raced);
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[3];

    @Actor
    public void hit() {
        subscribers[0] = keptMono.subscribe();
    }

    @Actor
    public void close() {
        subscribers[1] = RecordingSubscriber.of(raced.cache().close());
        subscribers[2] = keptMono.subscribe();
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        if (!isRefused(subscribers[2])) {
            raced.fault(Fault.CLOSED_POOL);
        }
        boolean hit = keptMono.hasOldPool(subscribers[0]);
        String outcome = isRefused(subscribers[0]) ? "refused" : "neither the pool nor refused";
        result.r1 = raced.seen(hit ? "old" : outcome);
    }

    private static boolean isRefused(RecordingSubscriber subscriber) {
        return subscriber.error() instanceof EngineCacheClosedException;
    }
}
