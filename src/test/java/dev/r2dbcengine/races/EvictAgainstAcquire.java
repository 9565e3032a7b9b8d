package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineLimitException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.pool.PoolShutdownException;

/** A full cache evicts an engine while a connection of it is acquired. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "done", expect = ACCEPTABLE, desc = "The connections were acquired despite the eviction")
@Outcome(id = "full", expect = ACCEPTABLE, desc = "maxEngines was reached: the other engine was in use or being opened")
public class EvictAgainstAcquire {
    private static final int ACQUISITIONS = 20;

    private final RacedCache raced = RacedCache.limitedToOneEngine();
    private final Engine engine = raced.engine();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[1 + ACQUISITIONS];

    /** Leaves an idle connection in the pool, so an acquisition needs no other thread. */
    public EvictAgainstAcquire() {
        raced.expectSignals(RecordingSubscriber.of(engine.ping()));
    }

    @Actor
    public void evict() {
        subscribers[ACQUISITIONS] = RecordingSubscriber.of(raced.cache().pool(RacedCache.OTHER));
    }

    /** Repeats, so that the eviction happens in between. */
    @Actor
    public void acquire() {
        for (int i = 0; i < ACQUISITIONS; i++) {
            subscribers[i] = RecordingSubscriber.of(engine.ping());
        }
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        raced.expectCapacity();
        result.r1 = raced.verdict(outcome());
    }

    private String outcome() {
        for (RecordingSubscriber subscriber : subscribers) {
            Throwable error = subscriber.error();
            if (error instanceof EngineLimitException) {
                return "full";
            }
            if (error != null) {
                return error instanceof PoolShutdownException ? Fault.CLOSED_POOL : error.toString();
            }
        }
        return "done";
    }
}
