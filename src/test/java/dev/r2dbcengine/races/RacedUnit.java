package dev.r2dbcengine.races;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import dev.r2dbcengine.work.BoundConnections;
import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.Work;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/** An open unit of work on a connection that answers immediately, and the outcome of the unit. */
final class RacedUnit {
    static final String ROWS = "rows";
    static final int SIZE = 3;

    private final FakeDriver driver = new FakeDriver().withoutRecording();
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger rollbacks = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();
    private final Sinks.Empty<Void> end = Sinks.empty();
    private final RecordingSubscriber subscriber;
    private volatile @Nullable Work work;

    RacedUnit() {
        driver.answer(ROWS, SIZE, i -> FakeRow.of("n", i));
        Connection connection =
                Objects.requireNonNull(Mono.from(driver.create()).block());
        subscriber = RecordingSubscriber.of(UnitOfWork.on(
                        new CountingConnectionSource(connection),
                        Mono.just(Dialect.ANSI),
                        () -> "fake",
                        SqlListener.NONE,
                        counting(),
                        BoundConnections.NONE)
                .execute(open -> {
                    work = open;
                    return end.asMono();
                }));
    }

    private WorkListener counting() {
        return new WorkListener() {
            @Override
            public void committed(WorkExecution unit, Duration duration) {
                commits.incrementAndGet();
            }

            @Override
            public void rolledBack(WorkExecution unit, Duration duration) {
                rollbacks.incrementAndGet();
            }

            @Override
            public void cleanupFailed(WorkExecution unit, String call, Throwable failure) {
                // A statement that is rejected after its subscriber has cancelled.
            }
        };
    }

    Work work() {
        return Objects.requireNonNull(work);
    }

    /** Makes the statement wait until it is released. */
    FakeGate hold(String sql) {
        return driver.on(Call.EXECUTE, sql::equals).waits();
    }

    void complete() {
        end.tryEmitEmpty();
    }

    void cancel() {
        subscriber.cancel();
    }

    long executions() {
        return driver.executions();
    }

    /** Returns the outcome of a transaction that has begun, after checking that there is exactly one. */
    String outcome() {
        if (!RecordingSubscriber.awaitTrue(() -> releases.get() > 0)) {
            return Fault.NO_SIGNAL;
        }
        boolean once = commits.get() + rollbacks.get() == 1 && releases.get() == 1;
        return once && driver.violations().isEmpty()
                ? (commits.get() == 1 ? "committed" : "rolled back")
                : Fault.CONNECTION_MISUSED;
    }

    /** Returns the outcome of a unit that may not have begun a transaction. */
    String outcomeOrNone() {
        if (!subscriber.awaitTermination()) {
            return Fault.NO_SIGNAL;
        }
        return driver.executions() == 0 && releases.get() == 0 ? "none" : outcome();
    }

    private final class CountingConnectionSource implements ConnectionSource {
        private final Connection connection;

        CountingConnectionSource(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Mono<Connection> borrow() {
            return Mono.just(connection);
        }

        @Override
        public Mono<Void> giveBack(Connection borrowed, Outcome outcome) {
            return Mono.fromRunnable(releases::incrementAndGet);
        }

        @Override
        public Mono<Connection> openUnpooled() {
            return Mono.just(connection);
        }

        @Override
        public Object identity(ContextView context) {
            return this;
        }
    }
}
