package dev.r2dbcengine.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Rows of an open stream are requested while another statement of its unit needs the connection. */
@JCStressTest
@JCStressMeta(Fault.class)
@State
@Outcome(id = "committed", expect = ACCEPTABLE, desc = "Each row was emitted once and in order, and the statement ran")
@Outcome(id = "wrong rows", expect = FORBIDDEN, desc = "A row was lost, repeated or emitted without demand")
@Outcome(id = "rolled back", expect = FORBIDDEN, desc = "Nothing requested a rollback")
public class DemandAgainstStatement {
    private final RacedUnit unit = new RacedUnit();
    private final RecordingSubscriber statement = new RecordingSubscriber();
    private final Reader reader = new Reader();

    public DemandAgainstStatement() {
        unit.work().sql(RacedUnit.ROWS).map(Integer.class).all().subscribe(reader);
    }

    @Actor
    public void request() {
        reader.request(1);
        reader.request(RacedUnit.SIZE);
    }

    @Actor
    public void statement() {
        unit.work().sql("behind").update().subscribe(statement);
    }

    @Arbiter
    public void observe(L_Result result) {
        boolean ended = statement.awaitTermination() && RecordingSubscriber.awaitTrue(() -> reader.ended);
        unit.complete();
        String end = ended ? unit.outcome() : Fault.NO_SIGNAL;
        result.r1 = !ended || reader.rows.equals(List.of(0, 1, 2)) ? end : "wrong rows";
    }

    private static final class Reader extends BaseSubscriber<Integer> {
        private final List<Integer> rows = new CopyOnWriteArrayList<>();
        private volatile boolean ended;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(Integer row) {
            rows.add(row);
        }

        @Override
        protected void hookOnComplete() {
            ended = true;
        }
    }
}
