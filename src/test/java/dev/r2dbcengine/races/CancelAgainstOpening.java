package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The only subscriber cancels while the first connection arrives; then the cache is closed. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "opened", expect = ACCEPTABLE, desc = "The subscriber received the pool")
@Outcome(id = "cancelled", expect = ACCEPTABLE, desc = "The subscriber had cancelled")
public class CancelAgainstOpening {
    private final RacedCache raced = RacedCache.connecting();
    private final RecordingSubscriber subscriber = new RecordingSubscriber();

    @Actor
    public void open() {
        raced.pool().subscribe(subscriber);
    }

    @Actor
    public void cancel() {
        subscriber.cancel();
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectPool();
        result.r1 = raced.verdict(subscriber.pool() == null ? "cancelled" : "opened");
    }
}
