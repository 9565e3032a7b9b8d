package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.r2dbcengine.EngineOpenException;
import io.r2dbc.pool.ConnectionPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The opening that two subscribers wait for fails; each retries when it receives the error. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "shared", expect = ACCEPTABLE, desc = "Both received the pool of the second opening")
public class FailingOpeningAgainstRetry {
    private final RacedCache raced = RacedCache.failingOnce();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    @Actor
    public void one() {
        subscribers[0] = subscribeWithRetry();
    }

    @Actor
    public void other() {
        subscribers[1] = subscribeWithRetry();
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        ConnectionPool pool = raced.expectPool();
        if (subscribers[0].pool() == null || subscribers[1].pool() == null) {
            raced.fault(Fault.CACHED_FAILURE);
        }
        if (subscribers[0].pool() != pool || subscribers[1].pool() != pool) {
            raced.fault(Fault.TWO_POOLS);
        }
        result.r1 = raced.verdict("shared");
    }

    private RecordingSubscriber subscribeWithRetry() {
        return RecordingSubscriber.of(raced.pool().onErrorResume(EngineOpenException.class, failure -> raced.pool()));
    }
}
