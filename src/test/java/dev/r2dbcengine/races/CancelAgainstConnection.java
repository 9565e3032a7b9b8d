package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.r2dbc.spi.Connection;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.publisher.BaseSubscriber;

/** A subscriber of an unpooled connection cancels while the connection arrives. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "arrived", expect = ACCEPTABLE, desc = "The subscriber received the connection and closed it")
@Outcome(id = "cancelled", expect = ACCEPTABLE, desc = "The subscriber had cancelled, and the connection was closed")
public class CancelAgainstConnection {
    private final RacedCache raced = RacedCache.synchronous();
    private final Owner owner = new Owner();

    public CancelAgainstConnection() {
        raced.engine().openConnection().subscribe(owner);
    }

    @Actor
    public void cancel() {
        owner.cancel();
    }

    @Actor
    public void close() {
        raced.expectSignals(RecordingSubscriber.of(raced.engine().close()));
    }

    @Arbiter
    public void observe(L_Result result) {
        result.r1 = raced.verdict(owner.arrived ? "arrived" : "cancelled");
    }

    /** Closes the connection when it arrives, even after the cancellation. */
    private static final class Owner extends BaseSubscriber<Connection> {
        private volatile boolean arrived;

        @Override
        protected void hookOnNext(Connection connection) {
            arrived = true;
            RecordingSubscriber.of(connection.close());
        }
    }
}
