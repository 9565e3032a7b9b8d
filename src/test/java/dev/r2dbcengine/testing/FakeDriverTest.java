package dev.r2dbcengine.testing;

import static dev.r2dbcengine.testing.Call.BATCH;
import static dev.r2dbcengine.testing.Call.BEGIN;
import static dev.r2dbcengine.testing.Call.CLOSE;
import static dev.r2dbcengine.testing.Call.COMMIT;
import static dev.r2dbcengine.testing.Call.CREATE;
import static dev.r2dbcengine.testing.Call.EXECUTE;
import static dev.r2dbcengine.testing.Call.PREPARE;
import static dev.r2dbcengine.testing.Call.ROWS;
import static dev.r2dbcengine.testing.Call.VALIDATE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Result.RowSegment;
import io.r2dbc.spi.Result.UpdateCount;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class FakeDriverTest {
    private final FakeDriver driver = new FakeDriver();

    private Connection connect() {
        return requireNonNull(Mono.fromDirect(driver.create()).block());
    }

    private static int id(Row row, RowMetadata metadata) {
        return requireNonNull(row.get(metadata.getColumnMetadata("id").getName(), Integer.class));
    }

    private static void run(Publisher<?> publisher) {
        StepVerifier.create(Flux.from(publisher).then()).verifyComplete();
    }

    private static Flux<Long> update(Statement statement) {
        return Flux.from(statement.execute()).concatMap(Result::getRowsUpdated);
    }

    private static Flux<Integer> ids(Statement statement) {
        return Flux.from(statement.execute()).concatMap(result -> result.map(FakeDriverTest::id));
    }

    @Nested
    class DefaultBehaviourTest {
        @Test
        void recordsCallsInTheOrderOfSubscription() {
            Connection connection = connect();
            Publisher<Void> commit = connection.commitTransaction();
            run(connection.beginTransaction());
            run(update(connection.createStatement("insert into t values (1)")));
            run(connection.createSavepoint("a"));
            run(connection.rollbackTransactionToSavepoint("a"));
            run(connection.releaseSavepoint("a"));
            run(commit);
            run(connection.rollbackTransaction());
            run(connection.setAutoCommit(true));
            run(connection.setTransactionIsolationLevel(IsolationLevel.SERIALIZABLE));
            run(connection.setLockWaitTimeout(Duration.ofSeconds(1)));
            run(connection.setStatementTimeout(Duration.ofSeconds(2)));
            run(connection.validate(ValidationDepth.REMOTE));
            run(connection.close());
            assertThat(driver.calls())
                    .containsExactly(
                            "1 create",
                            "1 begin",
                            "1 execute insert into t values (1)",
                            "1 savepoint a",
                            "1 rollback to savepoint a",
                            "1 release savepoint a",
                            "1 commit",
                            "1 rollback",
                            "1 set autocommit true",
                            "1 set isolation SERIALIZABLE",
                            "1 set lock wait timeout PT1S",
                            "1 set statement timeout PT2S",
                            "1 validate remote",
                            "1 close");
            assertThat(driver.violations()).isEmpty();
        }

        @Test
        void hidesExcludedCalls() {
            Connection connection = connect();
            run(connection.validate(ValidationDepth.REMOTE));
            assertThat(driver.calls(VALIDATE)).containsExactly("1 create");
        }

        @Test
        void recordsTheAttributesOfATransaction() {
            TransactionDefinition definition = IsolationLevel.SERIALIZABLE;
            run(connect().beginTransaction(definition));
            assertThat(driver.calls()).contains("1 begin isolationLevel=SERIALIZABLE");
        }

        @Test
        void countsConnections() {
            Connection first = connect();
            Connection second = connect();
            run(second.close());
            assertThat(driver.createdConnections()).isEqualTo(2);
            assertThat(driver.closedConnections()).isEqualTo(1);
            assertThat(driver.openConnections()).isEqualTo(1);
            run(first.close());
            assertThat(driver.openConnections()).isZero();
            assertThat(driver.calls()).containsExactly("1 create", "2 create", "2 close", "1 close");
        }

        @Test
        void keepsTheSettingsOfAConnection() {
            Connection connection = connect();
            assertThat(connection.isAutoCommit()).isTrue();
            run(connection.beginTransaction());
            assertThat(connection.isAutoCommit()).isFalse();
            run(connection.rollbackTransaction());
            assertThat(connection.isAutoCommit()).isTrue();
            run(connection.setTransactionIsolationLevel(IsolationLevel.REPEATABLE_READ));
            assertThat(connection.getTransactionIsolationLevel()).isEqualTo(IsolationLevel.REPEATABLE_READ);
        }

        @Test
        void recordsContextOfCreateSubscriber() {
            run(Mono.fromDirect(driver.create()).contextWrite(context -> context.put("tenant", "a")));
            assertThat(driver.createContexts()).singleElement().matches(context -> "a".equals(context.get("tenant")));
        }

        @Test
        void createsThroughAMonoOrABarePublisher() {
            assertThat(driver.create()).isInstanceOf(Mono.class);
            Publisher<? extends Connection> bare = driver.withBarePublishers().create();
            assertThat(bare).isNotInstanceOf(Mono.class);
            StepVerifier.create(bare).expectNextCount(1).verifyComplete();
        }

        @Test
        void reportsConfiguredDatabaseName() {
            FakeDriver named = new FakeDriver("PostgreSQL");
            assertThat(named.getMetadata().getName()).isEqualTo("PostgreSQL");
            StepVerifier.create(named.create())
                    .assertNext(
                            connection -> assertThat(connection.getMetadata().getDatabaseProductName())
                                    .isEqualTo("PostgreSQL"))
                    .verifyComplete();
            assertThat(driver.getMetadata().getName()).isEqualTo("Fake");
        }

        @Test
        void servesAPool() {
            ConnectionPool pool = new ConnectionPool(ConnectionPoolConfiguration.builder(driver)
                    .initialSize(1)
                    .maxSize(1)
                    .build());
            Mono<Void> unit = Mono.usingWhen(
                    pool.create(),
                    c -> update(c.createStatement("insert into t values (1)")).then(),
                    Connection::close);
            StepVerifier.create(Flux.range(0, 20_000).concatMap(i -> unit)).verifyComplete();
            StepVerifier.create(pool.disposeLater()).verifyComplete();
            assertThat(driver.executions()).isEqualTo(20_000);
            assertThat(driver.createdConnections()).isEqualTo(1);
            assertThat(driver.openConnections()).isZero();
            assertThat(driver.violations()).isEmpty();
        }

        @Test
        void clearsRecords() {
            run(update(connect().createStatement("insert into t values (1)")));
            driver.clear();
            assertThat(driver.calls()).isEmpty();
            assertThat(driver.executed()).isEmpty();
            assertThat(driver.createContexts()).isEmpty();
            assertThat(driver.createdConnections()).isEqualTo(1);
        }

        @Test
        void countsWithoutRecording() {
            Connection connection = connect();
            driver.withoutRecording();
            run(update(connection.createStatement("insert into t values (1)")));
            assertThat(driver.calls()).isEmpty();
            assertThat(driver.executions()).isEqualTo(1);
        }
    }

    @Nested
    class StatementTest {
        @Test
        void recordsWhatWasBound() {
            Statement statement = connect()
                    .createStatement("insert into t values ($1, :name)")
                    .bind(0, 1)
                    .bindNull("name", String.class)
                    .add()
                    .bind(0, 2)
                    .bind("name", "Ada")
                    .fetchSize(10)
                    .returnGeneratedValues("id");
            StepVerifier.create(update(statement)).expectNext(1L, 1L).verifyComplete();
            assertThat(driver.executed())
                    .containsExactly(new ExecutedStatement(
                            1,
                            "insert into t values ($1, :name)",
                            List.of(
                                    Map.of(0, 1, "name", new ExecutedStatement.Null(String.class)),
                                    Map.of(0, 2, "name", "Ada")),
                            10,
                            List.of("id")));
            assertThat(driver.violations()).isEmpty();
        }

        @Test
        void recordsRequestForAllGeneratedColumns() {
            run(update(connect().createStatement("insert").returnGeneratedValues()));
            assertThat(driver.executed())
                    .singleElement()
                    .extracting(ExecutedStatement::generated)
                    .isEqualTo(List.of("*"));
        }

        @Test
        @SuppressWarnings({"DataFlowIssue", "NullAway"})
        void rejectsNullWithoutType() {
            Statement statement = connect().createStatement("insert");
            assertThatIllegalArgumentException().isThrownBy(() -> statement.bind("name", null));
        }

        @Test
        void returnsConfiguredRows() {
            driver.answer("select id from t", FakeRow.of("id", 1), FakeRow.of("id", 2));
            Statement statement = connect().createStatement("select id from t");
            StepVerifier.create(ids(statement)).expectNext(1, 2).verifyComplete();
        }

        @Test
        void usesLatestAnswerWithUsesLeft() {
            driver.answer("select lock", FakeRow.of("id", 1));
            driver.answer("select lock", FakeRow.of("id", 0)).times(1);
            Statement statement = connect().createStatement("select lock");
            StepVerifier.create(ids(statement).concatWith(ids(statement)))
                    .expectNext(0, 1)
                    .verifyComplete();
        }

        @Test
        void returnsConfiguredUpdateCount() {
            driver.answer("delete from t", 7);
            StepVerifier.create(update(connect().createStatement("delete from t")))
                    .expectNext(7L)
                    .verifyComplete();
        }

        @Test
        void executesABatch() {
            driver.answer("b", 2);
            Publisher<? extends Result> batch =
                    connect().createBatch().add("a").add("b").execute();
            StepVerifier.create(Flux.from(batch).concatMap(Result::getRowsUpdated))
                    .expectNext(1L, 2L)
                    .verifyComplete();
            assertThat(driver.calls()).containsExactly("1 create", "1 batch a; b");
            assertThat(driver.executed()).extracting(ExecutedStatement::sql).containsExactly("a", "b");
        }

        @Test
        void readsARowByNameAndIndex() {
            driver.answer(sql -> true, FakeRow.of("id", 1, "name", "Ada", "born", null));
            Flux<String> text = Flux.from(connect().createStatement("select").execute())
                    .concatMap(result -> result.map(row ->
                            row.get("ID", Long.class) + row.get(1, String.class) + row.get("born") + row.get(0)));
            StepVerifier.create(text).expectNext("1Adanull1").verifyComplete();
        }

        @Test
        void rejectsWrongColumnOrType() {
            FakeRow row = FakeRow.of("id", 1);
            assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> row.get("name"));
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> row.get(1));
            assertThatIllegalArgumentException().isThrownBy(() -> row.get("id", String.class));
            assertThat(row.contains("Id")).isTrue();
            assertThat(row.getColumnMetadatas())
                    .extracting(FakeRow.Column::getName)
                    .containsExactly("id");
            assertThat(row.getColumnMetadata(0).getJavaType()).isEqualTo(Integer.class);
        }

        @Test
        void filtersAndFlattensSegments() {
            driver.answer("select", FakeRow.of("id", 1), FakeRow.of("id", 2));
            Flux<Object> segments = Flux.from(
                            connect().createStatement("select").execute())
                    .concatMap(result -> result.filter(segment -> segment instanceof RowSegment row
                                    && Integer.valueOf(2).equals(row.row().get("id")))
                            .flatMap(segment -> Mono.justOrEmpty(
                                    ((RowSegment) segment).row().get("id"))));
            StepVerifier.create(segments).expectNext(2).verifyComplete();
            Flux<Long> counts = Flux.from(connect().createStatement("update").execute())
                    .concatMap(result -> result.flatMap(segment -> Mono.just(((UpdateCount) segment).value())));
            StepVerifier.create(counts).expectNext(1L).verifyComplete();
            assertThat(driver.violations()).isEmpty();
        }

        @Test
        void passesMapperErrorOn() {
            driver.answer("select", FakeRow.of("id", 1));
            IllegalStateException failure = new IllegalStateException("mapper");
            Flux<Integer> rows = Flux.from(connect().createStatement("select").execute())
                    .concatMap(result -> result.map(row -> {
                        throw failure;
                    }));
            StepVerifier.create(rows).verifyErrorMatches(error -> error == failure);
        }

        @Test
        void emitsRowsOnlyOnRequest() {
            AtomicInteger made = new AtomicInteger();
            driver.answer("select", 1_000, index -> FakeRow.of("id", made.incrementAndGet()));
            Result result = requireNonNull(
                    Mono.from(connect().createStatement("select").execute()).block());
            StepVerifier.create(result.map(FakeDriverTest::id), 2)
                    .expectNext(1, 2)
                    .then(() -> assertThat(made).hasValue(2))
                    .then(() -> assertThat(driver.rowsOutstanding()).isZero())
                    .thenRequest(3)
                    .expectNext(3, 4, 5)
                    .then(() -> assertThat(driver.rowsRequested()).isEqualTo(5))
                    .then(() -> assertThat(driver.rowsEmitted()).isEqualTo(5))
                    .thenCancel()
                    .verify();
            assertThat(driver.calls()).endsWith("1 cancel rows select");
        }

        @Test
        void countsOutstandingDemand() {
            driver.answer("select", FakeRow.of("id", 1), FakeRow.of("id", 2));
            FakeGate gate = driver.on(ROWS).afterRows(1).waits();
            StepVerifier.create(ids(connect().createStatement("select")), 10)
                    .expectNext(1)
                    .then(() -> assertThat(driver.rowsOutstanding()).isEqualTo(9))
                    .then(gate::release)
                    .expectNext(2)
                    .verifyComplete();
        }
    }

    @Nested
    class BehaviourTest {
        @Test
        void delaysOnTheVirtualClock() {
            driver.on(CREATE).delays(Duration.ofHours(1));
            StepVerifier.withVirtualTime(() -> Mono.fromDirect(driver.create()))
                    .expectSubscription()
                    .expectNoEvent(Duration.ofMinutes(59))
                    .thenAwait(Duration.ofMinutes(1))
                    .expectNextCount(1)
                    .verifyComplete();
        }

        @Test
        void delaysOnAScheduler() {
            driver.on(BEGIN).delays(Duration.ofNanos(1), Schedulers.single());
            run(connect().beginTransaction());
        }

        @Test
        void answersOnAnotherThread() {
            driver.on(CREATE).answersOn(Schedulers.single());
            Mono<String> thread = Mono.fromDirect(driver.create())
                    .map(connection -> Thread.currentThread().getName());
            StepVerifier.create(thread)
                    .expectNextMatches(name -> name.startsWith("single"))
                    .verifyComplete();
        }

        @Test
        void fails() {
            IllegalStateException failure = new IllegalStateException("no commit");
            driver.on(COMMIT).fails(failure);
            Connection connection = connect();
            run(connection.beginTransaction());
            StepVerifier.create(connection.commitTransaction()).verifyErrorMatches(error -> error == failure);
            assertThat(connection.isAutoCommit()).isFalse();
        }

        @Test
        void failsAfterSomeRows() {
            driver.answer("select", 100, index -> FakeRow.of("id", index));
            driver.on(ROWS).afterRows(2).fails(new IllegalStateException("lost"));
            StepVerifier.create(ids(connect().createStatement("select")))
                    .expectNext(0, 1)
                    .verifyErrorMessage("lost");
        }

        @Test
        void completesEmpty() {
            driver.on(CREATE).completesEmpty();
            StepVerifier.create(driver.create()).verifyComplete();
            assertThat(driver.createdConnections()).isZero();
        }

        @Test
        void neverAnswers() {
            driver.on(CREATE).neverAnswers();
            StepVerifier.withVirtualTime(() -> Mono.fromDirect(driver.create()))
                    .expectSubscription()
                    .expectNoEvent(Duration.ofDays(1))
                    .thenCancel()
                    .verify();
            assertThat(driver.calls()).containsExactly("1 create", "1 cancel create");
        }

        @Test
        void throwsFromTheMethodItself() {
            IllegalStateException failure = new IllegalStateException("at once");
            Connection connection = connect();
            for (Call call : List.of(CREATE, BEGIN, PREPARE, BATCH, CLOSE, VALIDATE)) {
                driver.on(call).throwsAtOnce(failure);
            }
            driver.on(EXECUTE).throwsAtOnce(failure);
            List<Runnable> methods = List.of(
                    driver::create,
                    connection::beginTransaction,
                    () -> connection.createStatement("select"),
                    () -> connection.createBatch().execute(),
                    connection::close,
                    () -> connection.validate(ValidationDepth.LOCAL));
            assertThat(methods)
                    .allSatisfy(method -> assertThatIllegalStateException()
                            .isThrownBy(method::run)
                            .isSameAs(failure));
            driver.behaveOrdinarily();
            Statement statement = connection.createStatement("select");
            driver.on(EXECUTE).throwsAtOnce(failure);
            assertThatIllegalStateException().isThrownBy(statement::execute);
            assertThat(driver.calls()).containsExactly("1 create");
        }

        @Test
        void answersWhenTheGateIsReleased() {
            FakeGate gate = driver.on(CREATE).waits();
            StepVerifier.create(driver.create())
                    .then(() -> StepVerifier.create(gate.reached()).verifyComplete())
                    .then(gate::release)
                    .expectNextCount(1)
                    .verifyComplete();
            StepVerifier.create(driver.create()).expectNextCount(1).verifyComplete();
        }

        @Test
        void failsWhenTheGateIsReleased() {
            FakeGate gate =
                    driver.on(CREATE).fails(new IllegalStateException("late")).waits();
            StepVerifier.create(driver.create()).then(gate::release).verifyErrorMessage("late");
        }

        @Test
        void doesNotAnswerAfterCancel() {
            FakeGate gate = driver.on(CREATE).waits();
            Disposable subscription = Mono.fromDirect(driver.create()).subscribe();
            subscription.dispose();
            gate.release();
            assertThat(driver.createdConnections()).isZero();
        }

        @Test
        void answersDespiteCancel() {
            FakeGate gate = driver.on(CREATE).ignoresCancel().waits();
            LateSubscriber late = new LateSubscriber();
            driver.create().subscribe(late);
            late.cancel();
            assertThat(late.received).isEmpty();
            gate.release();
            assertThat(late.received).hasSize(1);
            assertThat(driver.openConnections()).isEqualTo(1);
        }

        @Test
        void answersOnCancel() {
            driver.on(CREATE).answersAfterCancel();
            LateSubscriber late = new LateSubscriber();
            driver.create().subscribe(late);
            assertThat(late.received).isEmpty();
            late.cancel();
            assertThat(late.received).hasSize(1);
        }

        @Test
        void appliesToSelectedCallsOnly() {
            driver.on(BEGIN).skip(1).times(1).fails(new IllegalStateException("second"));
            Connection connection = connect();
            run(connection.beginTransaction());
            StepVerifier.create(connection.beginTransaction()).verifyErrorMessage("second");
            run(connection.beginTransaction());
        }

        @Test
        void appliesToMatchingStatementsOnly() {
            driver.on(EXECUTE, sql -> sql.startsWith("insert")).fails(new IllegalStateException("insert"));
            Connection connection = connect();
            run(update(connection.createStatement("update t set a = 1")));
            StepVerifier.create(update(connection.createStatement("insert"))).verifyErrorMessage("insert");
        }

        @Test
        void runsActionWhileCallIsInFlight() {
            TestPublisher<Void> cancel = TestPublisher.create();
            driver.on(COMMIT).runs(cancel::complete);
            Connection connection = connect();
            StepVerifier.create(Mono.fromDirect(connection.commitTransaction()).takeUntilOther(cancel))
                    .verifyComplete();
            assertThat(driver.calls()).containsExactly("1 create", "1 commit", "1 cancel commit");
        }

        @Test
        void doesNotRecordCancelAfterLastValue() {
            run(Flux.from(driver.create()).next());
            assertThat(driver.calls()).containsExactly("1 create");
        }
    }

    @Nested
    class ViolationTest {
        @Test
        void twoCallsAtOnce() {
            driver.on(BEGIN).neverAnswers();
            Connection connection = connect();
            Mono.fromDirect(connection.beginTransaction()).subscribe();
            run(connection.commitTransaction());
            assertThat(driver.violations()).containsExactly("1 commit during begin");
        }

        @Test
        void callDuringRowStream() {
            driver.answer("select", FakeRow.of("id", 1), FakeRow.of("id", 2));
            Connection connection = connect();
            StepVerifier.create(ids(connection.createStatement("select")), 1)
                    .expectNext(1)
                    .then(() -> run(connection.commitTransaction()))
                    .thenRequest(1)
                    .expectNext(2)
                    .verifyComplete();
            assertThat(driver.violations()).containsExactly("1 commit during execute select");
        }

        @Test
        void useAfterClose() {
            Connection connection = connect();
            run(connection.close());
            StepVerifier.create(connection.beginTransaction()).verifyError(R2dbcNonTransientResourceException.class);
            assertThat(driver.violations()).containsExactly("1 begin after close");
        }

        @Test
        void closeTwice() {
            Connection connection = connect();
            run(connection.close());
            run(connection.close());
            assertThat(driver.violations()).containsExactly("1 close again");
            assertThat(driver.closedConnections()).isEqualTo(1);
        }

        @Test
        void failedCloseMayBeRetried() {
            driver.on(CLOSE).times(1).fails(new IllegalStateException("close"));
            Connection connection = connect();
            StepVerifier.create(connection.close()).verifyErrorMessage("close");
            assertThat(driver.openConnections()).isEqualTo(1);
            run(connection.close());
            assertThat(driver.openConnections()).isZero();
            assertThat(driver.violations()).isEmpty();
        }

        @Test
        void closeDuringStatementFailsStatement() {
            driver.on(EXECUTE).neverAnswers();
            Connection connection = connect();
            StepVerifier.create(update(connection.createStatement("select")))
                    .then(() -> run(connection.close()))
                    .verifyError(R2dbcNonTransientResourceException.class);
            assertThat(driver.violations()).containsExactly("1 close during execute select");
        }

        @Test
        void unreadResult() {
            Connection connection = connect();
            run(connection.createStatement("insert").execute());
            run(connection.commitTransaction());
            assertThat(driver.violations()).containsExactly("1 commit after an unread result of execute insert");
        }

        @Test
        void resultReadTwice() {
            Result result = requireNonNull(
                    Mono.from(connect().createStatement("insert").execute()).block());
            run(result.getRowsUpdated());
            StepVerifier.create(result.getRowsUpdated()).verifyError(IllegalStateException.class);
            assertThat(driver.violations()).containsExactly("1 reads the result of execute insert twice");
        }

        @Test
        void resultReadTooLate() {
            driver.on(EXECUTE, "b"::equals).neverAnswers();
            Connection connection = connect();
            Result result = requireNonNull(
                    Mono.from(connection.createStatement("a").execute()).block());
            Flux.from(connection.createStatement("b").execute()).subscribe();
            run(result.getRowsUpdated());
            assertThat(driver.violations())
                    .containsExactly(
                            "1 execute b after an unread result of execute a",
                            "1 reads the result of execute a too late");
        }

        @Test
        void addWithoutBindings() {
            Statement trailing = connect().createStatement("insert").bind(0, 1).add();
            run(update(trailing));
            assertThat(driver.violations()).containsExactly("1 add() without bindings in insert");
            Statement leading = connect().createStatement("delete").add().bind(0, 1);
            run(update(leading));
            assertThat(driver.violations()).endsWith("2 add() without bindings in delete");
        }

        @Test
        void cancelFreesConnection() {
            driver.on(EXECUTE).neverAnswers();
            Connection connection = connect();
            update(connection.createStatement("insert")).subscribe().dispose();
            run(connection.rollbackTransaction());
            assertThat(driver.violations()).isEmpty();
            assertThat(driver.calls())
                    .containsExactly("1 create", "1 execute insert", "1 cancel execute insert", "1 rollback");
        }
    }

    /** Receives signals after its cancellation, which an operator would drop. */
    private static final class LateSubscriber extends BaseSubscriber<Connection> {
        private final List<Connection> received = new ArrayList<>();

        @Override
        protected void hookOnNext(Connection connection) {
            received.add(connection);
        }
    }
}
