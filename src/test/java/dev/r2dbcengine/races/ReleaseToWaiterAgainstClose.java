package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.r2dbcengine.Engine;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.publisher.Mono;

/** A connection is released to a waiting subscriber, which must be able to use it, while the engine is closed. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(
        id = "lent",
        expect = ACCEPTABLE,
        desc = "The waiting subscriber received the connection before the close, and could use it")
@Outcome(id = "opened anew", expect = ACCEPTABLE, desc = "The waiting subscriber received a connection of a new engine")
public class ReleaseToWaiterAgainstClose {
    private final RacedCache raced = RacedCache.synchronous();
    private final Engine engine = raced.engine();
    private final RecordingSubscriber acquired = acquire();
    private final RecordingSubscriber next;
    private final RecordingSubscriber[] subscribers = new RecordingSubscriber[2];

    /** Makes the second subscriber wait, since the pool has one connection. */
    public ReleaseToWaiterAgainstClose() {
        raced.expectSignals(acquired);
        next = acquire();
    }

    private RecordingSubscriber acquire() {
        return RecordingSubscriber.of(Mono.fromDirect(engine.connectionFactory().create()));
    }

    @Actor
    public void release() {
        subscribers[0] = RecordingSubscriber.of(acquired.connection().close());
    }

    @Actor
    public void close() {
        subscribers[1] = RecordingSubscriber.of(engine.close());
    }

    @Arbiter
    public void observe(L_Result result) {
        raced.expectSignals(subscribers[0], next);
        String outcome = raced.closings() == 0 ? "lent" : "opened anew";
        if (next.error() != null) {
            raced.fault(Fault.CACHED_FAILURE);
        } else {
            use(next.connection());
        }
        raced.expectSignals(subscribers[1]);
        result.r1 = raced.verdict(outcome);
    }

    private void use(Connection connection) {
        RecordingSubscriber used = RecordingSubscriber.of(connection.validate(ValidationDepth.REMOTE));
        RecordingSubscriber back = RecordingSubscriber.of(connection.close());
        raced.expectSignals(used, back);
    }
}
