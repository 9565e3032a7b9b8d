package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.util.context.ContextView;

/** BEGIN and SAVEPOINT on a driver that queues its calls: they are sent together with the statement behind them. */
@Timeout(60)
class PipelinedUnitsTest extends FakeUnits {

    private static final Call[] SETUP = {Call.CREATE, Call.VALIDATE};

    private final RuntimeException rejected = new R2dbcRollbackException("rejected", "40001");
    private final Engine pipelined = Engine.on(new Pipelined(engine.unitOfWork().source()), postgresql());

    PipelinedUnitsTest() {
        super(new FakeDriver("PostgreSQL").queueing());
    }

    /* The dialect of PostgreSQL, for which no fake connection is pipelined. */
    private static Dialect postgresql() {
        return Dialect.ofDriver("postgresql");
    }

    private UnitOfWork unit() {
        return pipelined.unitOfWork();
    }

    private static Mono<Long> update(Work work, String sql) {
        return work.sql(sql).update();
    }

    private List<String> calls() {
        return driver.calls(SETUP);
    }

    @Test
    void firstStatementIsSentBeforeBeginIsAnswered() {
        FakeGate begin = driver.on(Call.BEGIN).times(1).waits();

        StepVerifier.create(unit().execute(work -> update(work, "a").then(update(work, "b"))))
                .expectSubscription()
                .then(() -> assertThat(calls()).containsExactly("1 begin", "1 execute a"))
                .then(begin::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(calls()).containsExactly("1 begin", "1 execute a", "1 execute b", "1 commit");
    }

    @Test
    void settingsOfTransactionAreSentBeforeBeginIsAnswered() {
        FakeGate begin = driver.on(Call.BEGIN).times(1).waits();

        StepVerifier.create(unit().readOnly()
                        .isolation(IsolationLevel.REPEATABLE_READ)
                        .lockWaitTimeout(Duration.ofSeconds(3))
                        .execute(work -> update(work, "a")))
                .expectSubscription()
                .then(() -> assertThat(calls())
                        .containsExactly(
                                "1 begin isolationLevel=REPEATABLE READ readOnly=true",
                                "1 execute SET LOCAL lock_timeout = 3000",
                                "1 execute a"))
                .then(begin::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void statementWaitsForBeginThatStandbyMayReject() {
        FakeGate begin = driver.on(Call.BEGIN).times(1).waits();

        StepVerifier.create(unit().isolation(IsolationLevel.SERIALIZABLE).execute(work -> update(work, "a")))
                .expectSubscription()
                .then(() -> assertThat(calls()).containsExactly("1 begin isolationLevel=SERIALIZABLE"))
                .then(begin::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void statementWaitsForSetUp() {
        FakeGate begin = driver.on(Call.BEGIN).times(1).waits();

        StepVerifier.create(unit().onBegin(work -> update(work, "set up")).execute(work -> update(work, "a")))
                .expectSubscription()
                .then(() -> assertThat(calls()).containsExactly("1 begin"))
                .then(begin::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void connectionIsLentAfterBeginIsAnswered() {
        FakeGate begin = driver.on(Call.BEGIN).times(1).waits();

        StepVerifier.create(unit().execute(work -> work.connection()
                        .flatMapMany(
                                connection -> connection.createStatement("a").execute())
                        .concatMap(result -> result.getRowsUpdated())
                        .then(Mono.just(1L))))
                .expectSubscription()
                .then(() -> assertThat(calls()).containsExactly("1 begin"))
                .then(begin::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void failureOfBeginIsThatOfUnit() {
        driver.on(Call.BEGIN).times(1).fails(fault);

        StepVerifier.create(unit().execute(work -> update(work, "a")))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(fault))
                .verify(LONG);

        assertThat(driver.closedConnections()).isOne();
        assertThat(units.events()).doesNotContain("began", "committed");
    }

    @Test
    void lateFailureOfBeginReplacesValueOfStatement() {
        FakeGate begin = driver.on(Call.BEGIN).times(1).fails(fault).waits();
        AtomicReference<Throwable> seen = new AtomicReference<>();

        StepVerifier.create(unit().execute(
                                work -> update(work, "a").doOnError(seen::set).onErrorReturn(5L)))
                .expectSubscription()
                .then(begin::release)
                .expectErrorSatisfies(e -> assertThat(e).isInstanceOf(UnexpectedRollbackException.class))
                .verify(LONG);

        assertThat(seen.get()).isSameAs(fault);
        assertThat(calls()).doesNotContain("1 commit", "2 commit");
    }

    @Test
    void statementThatFailsBeforeItIsSentWaitsForBegin() {
        FakeGate begin = driver.on(Call.BEGIN).times(1).waits();
        driver.on(Call.PREPARE, "a"::equals).throwsAtOnce(new IllegalArgumentException("cannot be prepared"));

        StepVerifier.create(unit().execute(work -> update(work, "a")))
                .expectSubscription()
                .then(() -> assertThat(calls()).containsExactly("1 begin"))
                .then(begin::release)
                .expectError(IllegalArgumentException.class)
                .verify(LONG);

        assertThat(calls()).containsExactly("1 begin", "1 rollback");
    }

    @Test
    void cancelledStatementWaitsForBegin() {
        Sinks.Empty<Void> cancel = Sinks.empty();
        FakeGate begin =
                driver.on(Call.BEGIN).times(1).runs(cancel::tryEmitEmpty).waits();

        StepVerifier.create(unit().execute(work -> update(work, "a")).takeUntilOther(cancel.asMono()))
                .expectComplete()
                .verify(LONG);
        assertThat(calls()).doesNotContain("1 rollback", "1 commit");
        begin.release();

        assertThat(calls()).endsWith("1 rollback").doesNotContain("1 commit");
    }

    @Test
    void savepointIsSentWithItsFirstStatement() {
        FakeGate savepoint = driver.on(Call.SAVEPOINT).times(1).waits();

        StepVerifier.create(unit().execute(work -> update(work, "a")
                        .then(work.savepoint(inner -> update(inner, "b").then(update(inner, "c"))))))
                .expectSubscription()
                .then(() -> assertThat(calls())
                        .containsExactly("1 begin", "1 execute a", "1 savepoint r2dbc_engine_1", "1 execute b"))
                .then(savepoint::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(calls()).endsWith("1 execute c", "1 release savepoint r2dbc_engine_1", "1 commit");
    }

    @Test
    void savepointAsFirstOperationWaitsForBegin() {
        FakeGate begin = driver.on(Call.BEGIN).times(1).waits();

        StepVerifier.create(unit().execute(work -> work.savepoint(inner -> update(inner, "b"))))
                .expectSubscription()
                .then(() -> assertThat(calls()).containsExactly("1 begin"))
                .then(begin::release)
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void rejectedSavepointRollsBackWholeUnit() {
        driver.on(Call.SAVEPOINT).times(1).fails(rejected);

        StepVerifier.create(unit().execute(work -> update(work, "a")
                        .then(work.savepoint(inner -> update(inner, "b")).onErrorReturn(5L))))
                .expectError(UnexpectedRollbackException.class)
                .verify(LONG);

        assertThat(calls()).endsWith("1 rollback").doesNotContain("1 commit");
    }

    @Test
    void connectionLostWithBeginFailsUnit() {
        RuntimeException lost = new R2dbcNonTransientResourceException("connection is gone", "08006");
        driver.on(Call.BEGIN).times(1).fails(lost);
        driver.on(Call.EXECUTE, "a"::equals).times(1).fails(lost);

        StepVerifier.create(unit().execute(work -> update(work, "a")))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(lost))
                .verify(LONG);

        assertThat(calls()).doesNotContain("1 commit", "1 rollback");
    }

    @Test
    void silentServerEndsWithGraceTime() {
        driver.on(Call.BEGIN).times(1).neverAnswers();

        failsByDeadline(
                unit().timeout(Duration.ofSeconds(1)).execute(work -> update(work, "a")),
                e -> assertThat(e).isInstanceOf(WorkTimeoutException.class));
        assertThat(calls()).startsWith("1 begin", "1 execute a").doesNotContain("1 commit");
    }

    @Test
    void rowsOfFirstStatementPass() {
        driver.answer("select", 3, i -> dev.r2dbcengine.testing.FakeRow.of("n", i));
        Flux<Integer> rows =
                unit().stream(work -> work.sql("select").map(Integer.class).all());

        StepVerifier.create(rows, 1)
                .expectNext(0)
                .thenRequest(5)
                .expectNext(1, 2)
                .expectComplete()
                .verify(LONG);
    }

    /** The connections of a pool, declared to be pipelined. */
    private record Pipelined(ConnectionSource pool) implements ConnectionSource {

        @Override
        public Mono<Connection> borrow() {
            return pool.borrow();
        }

        @Override
        public boolean isPipelined(Connection connection, Dialect dialect) {
            return true;
        }

        @Override
        public Mono<Void> giveBack(Connection connection, Outcome outcome) {
            return pool.giveBack(connection, outcome);
        }

        @Override
        public Mono<Connection> openUnpooled() {
            return pool.openUnpooled();
        }

        @Override
        public Object identity(ContextView context) {
            return pool.identity(context);
        }
    }
}
