package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.testing.BrokenListener;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.CapturedLogs;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;
import reactor.util.context.Context;

/** Behaviour that only a fake driver can show. */
class SqlStatementTest {

    private static final String SQL = "select n";

    private final FakeDriver driver = new FakeDriver();
    private final FactorySource source = new FactorySource(driver);
    private final RecordingListener listener = new RecordingListener();

    SqlStatementTest() {
        driver.answer(SQL, 5, i -> FakeRow.of("n", i));
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(driver.openConnections()).isZero();
        assertThat(driver.violations()).isEmpty();
        assertThat(driver.calls()).noneMatch(call -> call.contains("cancel"));
    }

    private SqlStatement sql(Dialect dialect, String sql) {
        return SqlRunner.of(dialect, listener).statement(source, sql);
    }

    private SqlStatement sql(String sql) {
        return sql(Dialect.H2, sql);
    }

    @Test
    void statementIsImmutable() {
        SqlStatement statement = sql("select :a");
        SqlStatement one = statement.bind("a", 1);
        SqlStatement two = statement.bind("a", 2).fetchSize(7);
        driver.answer("select $1", FakeRow.of("a", 1));
        StepVerifier.create(Flux.concat(
                        one.map(Integer.class).one(), two.map(Integer.class).one()))
                .expectNextCount(2)
                .verifyComplete();
        assertThat(driver.executed())
                .map(executed -> executed.bindings() + " " + executed.fetchSize())
                .containsExactly("[{0=1}] 0", "[{0=2}] 7");
        StepVerifier.create(statement.update()).verifyError(ParameterException.class);
    }

    @Test
    void nothingHappensBeforeSubscriptionAndEachSubscriptionRunsOnce() {
        Mono<Long> update = sql("update t set a = 1").update();
        Mono<Long> batch = sql("update t set a = :a").batch(List.of(1, 2), (row, item) -> row.bind("a", item));
        assertThat(driver.createdConnections()).isZero();
        StepVerifier.create(Flux.concat(update, update, batch, batch))
                .expectNext(1L, 1L, 2L, 2L)
                .verifyComplete();
        assertThat(driver.executions()).isEqualTo(4);
    }

    @Test
    void dialectMayBeKnownLater() {
        PublisherProbe<Dialect> dialect = PublisherProbe.of(Mono.just(Dialect.POSTGRESQL));
        SqlStatement statement = SqlRunner.of(dialect.mono(), SqlListener.NONE)
                .statement(source, "select :n")
                .bind("n", 1);
        driver.answer("select $1", FakeRow.of("n", 1));
        dialect.assertWasNotSubscribed();
        StepVerifier.create(statement.map(Integer.class).all()).expectNext(1).verifyComplete();
        StepVerifier.create(statement.map(Integer.class).one()).expectNext(1).verifyComplete();
        StepVerifier.create(statement.batch(List.of(1), (row, n) -> {}))
                .expectNextCount(1)
                .verifyComplete();
        StepVerifier.create(SqlRunner.of(Mono.error(new IllegalStateException("not open")), SqlListener.NONE)
                        .statement(source, SQL)
                        .update())
                .verifyErrorMessage("not open");
    }

    @Test
    void textAndToStringHaveNoValue() {
        SqlStatement statement = sql("select :a, :b").bind("a", "secret").bindAll(Map.of("b", "secret"));
        assertThat(statement).hasToString("select :a, :b");
        assertThat(new BoundValues("a", "secret", new BoundValues(null, Map.of("b", "secret"), null)))
                .hasToString("[a, […, null]]");
    }

    @Test
    void invalidArgumentIsRejectedImmediately() {
        assertThatIllegalArgumentException().isThrownBy(() -> sql(SQL).fetchSize(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> sql(SQL).timeout(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sql(SQL).bindAll("text"))
                .withMessageContaining("java.lang.String");
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> sql(SQL).bind("n", Optional.empty()))
                .satisfies(e -> assertThat(e.names()).containsExactly("n"))
                .satisfies(e -> assertThat(e.sql()).isEqualTo(SQL));
    }

    @Test
    void nullInMapHasNoType() {
        Map<String, Object> map = new HashMap<>();
        map.put("n", null);
        StepVerifier.create(sql("select :n").bindAll(map).update())
                .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("'n' is null and has no type"))
                .verify();
    }

    record Loud(int n) {
        @Override
        public int n() {
            if (n == 1) {
                throw new IllegalStateException("loud");
            }
            return n;
        }
    }

    @Test
    void exceptionOfAccessorIsError() {
        StepVerifier.create(sql("select :n").bindAll(new Loud(1)).update()).verifyErrorMessage("loud");
    }

    @Test
    void optionalsAndListsAreCopiedWhenTheyAreBound() {
        List<Integer> list = new ArrayList<>(List.of(1, 2));
        SqlStatement statement = sql("select :list, :maybe").bind("list", list).bind("maybe", Optional.of("x"));
        list.clear();
        StepVerifier.create(statement.update()).expectNext(1L).verifyComplete();
        assertThat(driver.executed().get(0).bindings().toString()).isEqualTo("[{0=1, 1=2, 2=x}]");
        assertThat(driver.executed().get(0).sql()).isEqualTo("select $1, $2, $3");
    }

    @Test
    void withoutBackpressureEverythingIsAskedForAtOnceAndWaitsForTheSubscriber() {
        StepVerifier.create(sql(Dialect.MARIADB, SQL).map(Integer.class).all(), 0)
                .expectSubscription()
                .thenRequest(1)
                .expectNext(0)
                .then(() -> assertThat(driver.rowsRequested()).isEqualTo(Long.MAX_VALUE))
                .then(() -> assertThat(driver.rowsEmitted()).isEqualTo(5))
                .thenRequest(10)
                .expectNext(1, 2, 3, 4)
                .verifyComplete();
    }

    @Test
    void withBackpressureNoMoreIsAskedForThanTheSubscriberAskedFor() {
        StepVerifier.create(sql(SQL).map(Integer.class).all(), 0)
                .expectSubscription()
                .thenRequest(2)
                .expectNext(0, 1)
                .then(() -> assertThat(driver.rowsRequested()).isEqualTo(2))
                .thenRequest(1)
                .expectNext(2)
                .then(() -> assertThat(driver.rowsRequested()).isEqualTo(3))
                .thenCancel()
                .verify();
        assertThat(driver.rowsEmitted()).isEqualTo(5);
        assertThat(listener.events()).containsExactly("started " + SQL, "cancelled " + SQL, "finished " + SQL + " 5");
    }

    @Test
    void failedMapperLetsStatementComplete() {
        StepVerifier.create(sql(SQL).map((row, metadata) -> {
                            if (Integer.valueOf(2).equals(row.get(0))) {
                                throw new IllegalStateException("mine");
                            }
                            return row.get(0);
                        })
                        .all())
                .expectNext(0, 1)
                .verifyErrorMessage("mine");
        assertThat(driver.rowsEmitted()).isEqualTo(5);
        assertThat(source.outcomes()).containsExactly(Outcome.KEEP);
    }

    @Test
    void mapperMayReturnNull() {
        Rows<Object> nothing = sql(SQL).map((row, metadata) -> null);
        StepVerifier.create(nothing.first()).verifyComplete();
        StepVerifier.create(nothing.one()).verifyError(TooManyRowsException.class);
        StepVerifier.create(nothing.all()).verifyError(RowMappingException.class);
    }

    @Test
    void synchronousDriverExceptionIsErrorAndReported() {
        driver.on(Call.PREPARE).times(1).throwsAtOnce(new IllegalArgumentException("prepare"));
        StepVerifier.create(sql(SQL).update()).verifyErrorMessage("prepare");
        driver.on(Call.EXECUTE).times(1).throwsAtOnce(new IllegalArgumentException("execute"));
        StepVerifier.create(sql(SQL).map(Integer.class).all()).verifyErrorMessage("execute");
        assertThat(listener.events())
                .containsExactly(
                        "started " + SQL,
                        "failed " + SQL + " IllegalArgumentException",
                        "started " + SQL,
                        "failed " + SQL + " IllegalArgumentException");
        assertThat(source.outcomes()).containsExactly(Outcome.KEEP, Outcome.KEEP);
    }

    /** PostgreSQL's driver does so when the connection is lost. */
    @Test
    void reactorWrapperOfDriverErrorIsRemoved() {
        R2dbcNonTransientResourceException lost = new R2dbcNonTransientResourceException("lost", "08006");
        FakeGate gate = driver.on(Call.ROWS)
                .afterRows(2)
                .fails(Exceptions.wrapSource(lost))
                .waits();
        StepVerifier.create(sql(SQL).map(Integer.class).all())
                .expectNext(0, 1)
                .then(gate::release)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(lost))
                .verify();
    }

    @Test
    void failureOfStatementOrRowsIsReported() {
        driver.on(Call.EXECUTE).times(1).fails(new IllegalStateException("execute"));
        StepVerifier.create(sql(SQL).map(Integer.class).all()).verifyErrorMessage("execute");
        FakeGate gate = driver.on(Call.ROWS)
                .times(1)
                .afterRows(2)
                .fails(new IllegalStateException("rows"))
                .waits();
        StepVerifier.create(sql(SQL).map(Integer.class).all())
                .expectNext(0, 1)
                .then(gate::release)
                .verifyErrorMessage("rows");
    }

    @Test
    void failureAfterCancelIsReportedToListener() {
        FakeGate gate =
                driver.on(Call.EXECUTE).fails(new IllegalStateException("late")).waits();
        Disposable subscriber = sql(SQL).update().subscribe();
        subscriber.dispose();
        gate.release();
        assertThat(listener.events())
                .containsExactly("started " + SQL, "cancelled " + SQL, "failed " + SQL + " IllegalStateException");
    }

    @Test
    void exceptionOfListenerIsLogged() {
        SqlStatement statement =
                SqlRunner.of(Dialect.H2, BrokenListener.of(SqlListener.class)).statement(source, SQL);
        try (CapturedLogs logs = CapturedLogs.of(SqlStatement.class)) {
            StepVerifier.create(statement.update()).expectNextCount(1).verifyComplete();
            driver.on(Call.EXECUTE).fails(new IllegalStateException("by the driver"));
            StepVerifier.create(statement.update()).verifyErrorMessage("by the driver");
            FakeGate gate = driver.on(Call.EXECUTE).waits();
            statement.update().subscribe().dispose();
            gate.release();

            assertThat(logs.events())
                    .allSatisfy(event -> assertThat(event.getFormattedMessage()).isEqualTo("The SQL listener failed"))
                    .extracting(event -> event.getThrowableProxy().getMessage())
                    .contains("broken in entering", "broken in started", "broken in finished", "broken in failed")
                    .contains("broken in cancelled");
        }
        assertThat(driver.openConnections()).isZero();
    }

    @Test
    void executionHasTextDialectAndContext() {
        List<SqlExecution> seen = new ArrayList<>();
        SqlStatement statement = SqlRunner.of(Dialect.H2, new SqlListener() {
                    @Override
                    public void started(SqlExecution execution) {
                        seen.add(execution);
                    }
                })
                .statement(source, SQL);
        StepVerifier.create(statement.update().contextWrite(context -> context.put("who", "me")))
                .expectNextCount(1)
                .verifyComplete();
        StepVerifier.create(statement
                        .map(Integer.class)
                        .all()
                        .contextWrite(context -> context.put("who", "me"))
                        .take(1))
                .expectNextCount(1)
                .verifyComplete();
        assertThat(seen).hasSize(2).allSatisfy(execution -> {
            assertThat(execution.sql()).isEqualTo(SQL);
            assertThat(execution.dialect()).isSameAs(Dialect.H2);
            assertThat(execution.context().<String>get("who")).isEqualTo("me");
        });
    }

    @Test
    void batchIsSentInThousandsAndHoldsNoConnectionBetween() {
        List<Integer> items = IntStream.range(0, 2_500).boxed().toList();
        Flux<Integer> slow = Flux.fromIterable(items)
                .doOnNext(item -> assertThat(driver.openConnections()).isZero());
        StepVerifier.create(sql("insert into t values (:n)").batch(slow, (row, n) -> row.bind("n", n)))
                .expectNext(2_500L)
                .verifyComplete();
        assertThat(driver.executed())
                .map(executed -> executed.bindings().size())
                .containsExactly(1000, 1000, 500);
        assertThat(listener.events()).contains("finished insert into t values (:n) 500");
    }

    @Test
    void listInBatchIsErrorWithAdvice() {
        StepVerifier.create(sql("delete from t where n in (:n)")
                        .batch(List.of(1, 2), (row, n) -> row.bind("n", List.of(n))))
                .verifyErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(ParameterException.class)
                        .hasMessageContaining("'n' is a list, which a batch cannot bind")
                        .hasMessageContaining("run the statement for each row instead"));
    }

    @Test
    void emptyBatchAcquiresNoConnection() {
        StepVerifier.create(sql("insert into t values (:n)").batch(List.<Integer>of(), (row, n) -> row.bind("n", n)))
                .expectNext(0L)
                .verifyComplete();
        assertThat(driver.createdConnections()).isZero();
    }

    @Test
    void failedBatchCancelsItsItems() {
        PublisherProbe<Integer> items = PublisherProbe.of(Flux.range(0, 1000).concatWith(Mono.never()));
        driver.on(Call.EXECUTE).fails(new IllegalStateException("failed"));
        StepVerifier.create(sql("insert into t values (:n)").batch(items.flux(), (row, n) -> row.bind("n", n)))
                .verifyErrorMessage("failed");
        items.assertWasCancelled();
    }

    @Test
    void manyStatementsOfManyThreadsEachGetTheirOwn() {
        driver.answer(sql -> sql.startsWith("select $1"), FakeRow.of("n", 1));
        StepVerifier.create(Flux.range(0, 4_000)
                        .flatMap(i -> sql("select :n -- " + i % 2_000)
                                .bind("n", i)
                                .map(Integer.class)
                                .one()
                                .subscribeOn(Schedulers.parallel()))
                        .count())
                .expectNext(4_000L)
                .verifyComplete();
    }

    @Test
    void returningAndFetchSizeReachTheDriver() {
        StepVerifier.create(
                        sql("insert into t values (1)").returning().fetchSize(3).update())
                .expectNextCount(1)
                .verifyComplete();
        StepVerifier.create(
                        sql("insert into t values (2)").returning("id", "at").update())
                .expectNextCount(1)
                .verifyComplete();
        assertThat(driver.executed())
                .map(executed -> executed.generated() + " " + executed.fetchSize())
                .containsExactly("[*] 3", "[id, at] 0");
    }

    record Item(long id, Optional<Integer> size, @Nullable String name) {}

    private record Hidden(int n) {}

    @Test
    void batchItemAcceptsAllBindings() {
        StepVerifier.create(sql("insert into item values (:id, :size, :name)").batch(List.of(1L, 2L), (row, id) -> {
                    if (id == 1) {
                        row.bindAll(new Item(id, Optional.empty(), "a"));
                    } else {
                        row.bind("size", null, int.class).bindAll(Map.of("id", id, "name", "b"));
                    }
                }))
                .expectNext(2L)
                .verifyComplete();
        StepVerifier.create(sql("select :n").bindAll(new Hidden(3)).update())
                .expectNextCount(1)
                .verifyComplete();
        assertThat(driver.executed().get(0).bindings().toString())
                .isEqualTo("[{0=1, 1=Null[type=class java.lang.Integer], 2=a},"
                        + " {0=2, 1=Null[type=class java.lang.Integer], 2=b}]");
        assertThat(driver.executed().get(1).bindings().toString()).isEqualTo("[{0=3}]");
    }

    @Test
    void missingValueOfBatchItemIsNamed() {
        StepVerifier.create(
                        sql("insert into item values (:id, :name)").batch(List.of(1), (row, id) -> row.bind("id", id)))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOfSatisfying(ParameterException.class, missing -> {
                            assertThat(missing.names()).containsExactly("name");
                            assertThat(missing.sql()).isEqualTo("insert into item values (:id, :name)");
                        })
                        .hasMessageStartingWith("Parameters were not bound: [name]. Bind them"))
                .verify();
        assertThat(driver.executions()).isZero();
    }

    private enum Size {
        SMALL {
            @Override
            public String toString() {
                return "not its name";
            }
        }
    }

    @Test
    void constantsGoByTheirNamesAndArraysAsObjects() {
        StepVerifier.create(sql("select :a, :b, :c")
                        .bind("a", Size.SMALL)
                        .bind("b", null, Size.class)
                        .bind("c", null, int[].class)
                        .update())
                .expectNextCount(1)
                .verifyComplete();
        assertThat(driver.executed().get(0).bindings().toString())
                .isEqualTo("[{0=SMALL, 1=Null[type=class java.lang.String],"
                        + " 2=Null[type=class [Ljava.lang.Integer;]}]");
    }

    @Test
    void mapperIsCalledForRequestedRowsOnly() {
        AtomicInteger mapped = new AtomicInteger();
        Rows<Integer> rows = sql(SQL).map((row, metadata) -> mapped.incrementAndGet());
        StepVerifier.create(rows.first()).expectNext(1).verifyComplete();
        assertThat(mapped).hasValue(1);
    }

    @Test
    void failureIsEmittedWithoutDemand() {
        Rows<Integer> rows = sql(SQL).map((row, metadata) -> {
            throw new IllegalStateException("mine");
        });
        StepVerifier.create(rows.all(), 1).verifyErrorMessage("mine");
        assertThat(driver.rowsEmitted()).isEqualTo(5);
    }

    @Test
    void exceptionOfResultEndsStatement() {
        FakeDriver broken = new FakeDriver();
        broken.answer(SQL, FakeRow.of("n", 1));
        broken.on(Call.ROWS).throwsAtOnce(new IllegalStateException("no rows"));
        StepVerifier.create(SqlRunner.of(Dialect.H2, listener)
                        .statement(new FactorySource(broken), SQL)
                        .map(Integer.class)
                        .all())
                .verifyErrorMessage("no rows");
        assertThat(listener.events()).containsExactly("started " + SQL, "failed " + SQL + " IllegalStateException");
        assertThat(broken.openConnections()).isZero();
    }

    @Test
    void forwardedCancelDrainsStatement() {
        Connection connection = Objects.requireNonNull(source.borrow().block());
        Execution<Integer> rows = new Execution<>(
                sql(SQL),
                new ParsedSql(Dialect.H2, SQL),
                new Object[0],
                new RowReader.Wanted<>(RecordMapper.of(Integer.class), RowReader.Mode.ALL),
                Context.empty());
        StepVerifier.create(rows.streamed().apply(connection), 1)
                .expectNext(0)
                .thenCancel()
                .verify();
        assertThat(driver.rowsEmitted()).isEqualTo(5);
        StepVerifier.create(source.giveBack(connection, Outcome.KEEP)).verifyComplete();
    }
}
