package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A thread subscribes repeatedly to a kept {@code Mono} of an open engine while the engine is closed. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "old, old", expect = ACCEPTABLE, desc = "All subscriptions were before the close")
@Outcome(id = "old, new", expect = ACCEPTABLE, desc = "The close was between the subscriptions")
@Outcome(id = "new, new", expect = ACCEPTABLE, desc = "All subscriptions were after the close")
public class HitAgainstClose {
    private static final int HITS = 30;

    private final RacedCache raced = RacedCache.synchronous();
    private final KeptMono keptMono = new KeptMono(raced);
    private final List<RecordingSubscriber> hits = new ArrayList<>();
    private final RecordingSubscriber[] closing = new RecordingSubscriber[2];
    private volatile boolean closed;

    @Actor
    public void hit() {
        for (int i = 0; i < HITS; i++) {
            boolean after = closed;
            RecordingSubscriber hit = keptMono.subscribe();
            hits.add(hit);
            if (after && keptMono.hasOldPool(hit)) {
                raced.fault(Fault.CLOSED_POOL);
            }
        }
    }

    @Actor
    public void close() {
        closing[0] = RecordingSubscriber.of(raced.engine().close());
        closed = true;
        closing[1] = keptMono.subscribe();
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(closing);
        raced.expectSignals(hits.toArray(RecordingSubscriber[]::new));
        boolean first = hasOldPool(hits.get(0));
        boolean last = first;
        for (RecordingSubscriber hit : hits) {
            boolean before = last;
            last = hasOldPool(hit);
            if (last && !before) {
                raced.fault(Fault.CLOSED_POOL);
            }
        }
        if (hasOldPool(closing[1])) {
            raced.fault(Fault.CLOSED_POOL);
        }
        result.r1 = raced.verdict((first ? "old, " : "new, ") + (last ? "old" : "new"));
    }

    private boolean hasOldPool(RecordingSubscriber subscriber) {
        if (subscriber.pool() == null) {
            raced.fault(Fault.CACHED_FAILURE);
        }
        return keptMono.hasOldPool(subscriber);
    }
}
