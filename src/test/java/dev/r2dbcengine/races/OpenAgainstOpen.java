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

/** Two first subscribers; one of them subscribes repeatedly. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "shared", expect = ACCEPTABLE, desc = "All received the pool that one of them opened")
public class OpenAgainstOpen {
    private static final int SUBSCRIPTIONS = 30;

    private final RacedCache raced = RacedCache.synchronous();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[1 + SUBSCRIPTIONS];

    @Actor
    public void one() {
        subscribers[SUBSCRIPTIONS] = RecordingSubscriber.of(raced.pool());
    }

    /** Repeats, so that a call meets the moment in which the engine becomes open. */
    @Actor
    public void other() {
        for (int i = 0; i < SUBSCRIPTIONS; i++) {
            subscribers[i] = RecordingSubscriber.of(raced.pool());
        }
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        ConnectionPool pool = raced.expectPool();
        for (RecordingSubscriber subscriber : subscribers) {
            if (subscriber.pool() != pool) {
                raced.fault(Fault.TWO_POOLS);
            }
        }
        result.r1 = raced.verdict("shared");
    }
}
