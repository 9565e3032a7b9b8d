package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The shared pool is disposed of while another thread subscribes to it. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "old", expect = ACCEPTABLE, desc = "The subscription was before the disposal")
@Outcome(id = "new", expect = ACCEPTABLE, desc = "The subscription was after the disposal, and opened a new pool")
public class DisposeAgainstHit {
    private final RacedCache raced = RacedCache.synchronous();
    private final KeptMono keptMono = new KeptMono(raced);
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    @Actor
    public void dispose() {
        subscribers[0] =
                RecordingSubscriber.of(Objects.requireNonNull(keptMono.pool()).disposeLater());
        raced.expectPool();
    }

    @Actor
    public void hit() {
        subscribers[1] = keptMono.subscribe();
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        if (subscribers[1].pool() == null) {
            raced.fault(Fault.CACHED_FAILURE);
        }
        result.r1 = raced.verdict(keptMono.hasOldPool(subscribers[1]) ? "old" : "new");
    }
}
