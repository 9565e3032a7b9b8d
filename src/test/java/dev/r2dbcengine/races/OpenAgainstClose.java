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

/** The first subscriber, while the engine is closed repeatedly. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "open", expect = ACCEPTABLE, desc = "The close was before or during the opening, which was repeated")
@Outcome(id = "closed", expect = ACCEPTABLE, desc = "The close was after the opening")
public class OpenAgainstClose {
    private static final int CLOSES = 30;

    private final RacedCache raced = RacedCache.synchronous();
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[1 + CLOSES];

    @Actor
    public void open() {
        subscribers[CLOSES] = RecordingSubscriber.of(raced.pool());
    }

    /** Repeats, so that a call meets each state of the entry. */
    @Actor
    public void close() {
        for (int i = 0; i < CLOSES; i++) {
            subscribers[i] = RecordingSubscriber.of(raced.engine().close());
        }
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers);
        ConnectionPool pool = subscribers[CLOSES].pool();
        if (pool == null) {
            raced.fault(Fault.CACHED_FAILURE);
        }
        boolean open = pool == raced.expectPool();
        result.r1 = raced.verdict(open ? "open" : "closed");
    }
}
