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

/** A full cache evicts an engine while it is subscribed to. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "old", expect = ACCEPTABLE, desc = "The subscription was before the eviction")
@Outcome(
        id = "new",
        expect = ACCEPTABLE,
        desc = "The subscription was after the eviction, and evicted the other engine")
@Outcome(id = "full", expect = ACCEPTABLE, desc = "maxEngines was reached: the other engine was being opened")
public class EvictAgainstHit {
    private final RacedCache raced = RacedCache.limitedToOneEngine();
    private final KeptMono keptMono = new KeptMono(raced);
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    @Actor
    public void evict() {
        subscribers[0] = RecordingSubscriber.of(raced.cache().pool(RacedCache.OTHER));
    }

    @Actor
    public void hit() {
        subscribers[1] = keptMono.subscribe();
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        boolean full = isFull(subscribers[0]) || isFull(subscribers[1]);
        if (!full && (subscribers[0].pool() == null || subscribers[1].pool() == null)) {
            raced.fault(Fault.CACHED_FAILURE);
        }
        raced.expectCapacity();
        boolean hit = keptMono.hasOldPool(subscribers[1]);
        result.r1 = raced.verdict(full ? "full" : hit ? "old" : "new");
    }

    private static boolean isFull(RecordingSubscriber subscriber) {
        return subscriber.error() instanceof EngineLimitException;
    }
}
