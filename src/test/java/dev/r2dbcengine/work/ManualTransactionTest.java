package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A transaction that other code begins and ends on a connection of the engine's factory. */
class ManualTransactionTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeDriver driver = new FakeDriver();
    private final RecordedUnits units = new RecordedUnits();
    private final AtomicReference<@Nullable Connection> bound = new AtomicReference<>();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .connectionFactory(options -> driver)
            .listener(units)
            .boundConnections((factory, context) -> bound.get())
            .build();
    private final Engine engine = engines.engine("r2dbc:fake://host/db?maxSize=1");
    private final RuntimeException fault = new R2dbcNonTransientResourceException("on purpose", "XX000");

    @BeforeEach
    void open() {
        engine.dialect().block(LONG);
        driver.clear();
    }

    @AfterEach
    void connectionIsReleased() {
        bound.set(null);
        StepVerifier.create(engine.sql("next").update())
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(engines.close()).expectComplete().verify(LONG);
        assertThat(driver.violationsButDiscards()).isEmpty();
        assertThat(driver.openConnections()).isZero();
    }

    private static void completes(Publisher<Void> call) {
        StepVerifier.create(call).expectComplete().verify(LONG);
    }

    private void failsWithFault(Publisher<Void> call) {
        StepVerifier.create(call)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(fault))
                .verify(LONG);
    }

    private Connection connection() {
        return connection(engine.connectionFactory());
    }

    private static Connection connection(ConnectionFactory factory) {
        return Objects.requireNonNull(Mono.from(factory.create()).block(LONG));
    }

    private static Mono<Long> insert(Connection connection, String sql) {
        return Flux.from(connection.createStatement(sql).execute())
                .concatMap(result -> result.getRowsUpdated())
                .single();
    }

    private List<String> calls() {
        return driver.calls(Call.CREATE, Call.CLOSE, Call.VALIDATE);
    }

    @Test
    void beginsAndCommitsOnRequest() {
        Connection connection = connection();
        assertThat(connection.isAutoCommit()).isTrue();

        completes(connection.beginTransaction());
        assertThat(connection.isAutoCommit()).isFalse();
        insert(connection, "a").block(LONG);
        completes(connection.commitTransaction());
        assertThat(connection.isAutoCommit()).isTrue();
        completes(connection.close());
        completes(connection.close());

        assertThat(units.events()).containsExactly("began", "committed");
    }

    @Test
    void nestedBeginCreatesSavepoint() {
        Connection connection = connection();
        completes(connection.beginTransaction());
        completes(connection.beginTransaction());
        completes(connection.rollbackTransaction());
        completes(connection.beginTransaction(definition(Map.of())));
        completes(connection.commitTransaction());
        completes(connection.createSavepoint("s"));
        completes(connection.rollbackTransactionToSavepoint("s"));
        completes(connection.commitTransaction());
        completes(connection.close());

        assertThat(calls()).filteredOn(call -> call.contains("begin")).hasSize(1);
        assertThat(units.events()).containsExactly("began", "committed");
    }

    @Test
    void closeRollsBackOpenTransaction() {
        Connection connection = connection();
        completes(connection.beginTransaction());

        completes(connection.close());

        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    @Test
    void rollbackAwaitsStatementInFlight() {
        FakeGate gate = driver.on(Call.EXECUTE).waits();
        Connection connection = connection();
        completes(connection.beginTransaction());
        Disposable statement = insert(connection, "a").subscribe();
        AtomicReference<String> end = new AtomicReference<>("open");

        statement.dispose();
        Mono.from(connection.rollbackTransaction()).subscribe(nothing -> {}, e -> {}, () -> end.set("rolled back"));
        assertThat(end).hasValue("open");
        gate.release();

        assertThat(end).hasValue("rolled back");
        completes(connection.close());
    }

    @Test
    void failedBeginDiscardsConnection() {
        driver.on(Call.BEGIN).times(1).fails(fault);
        Connection connection = connection();

        failsWithFault(connection.beginTransaction());
        completes(connection.close());

        assertThat(driver.closedConnections()).isOne();
    }

    @Test
    void failedRollbackDiscardsConnection() {
        driver.on(Call.ROLLBACK).times(1).fails(fault);
        Connection connection = connection();
        completes(connection.beginTransaction());

        failsWithFault(connection.rollbackTransaction());
        completes(connection.close());

        assertThat(driver.closedConnections()).isOne();
    }

    @Test
    void failedRollbackAtCloseIsReportedAfterRelease() {
        driver.on(Call.ROLLBACK).times(1).fails(fault);
        Connection connection = connection();
        completes(connection.beginTransaction());

        failsWithFault(connection.close());

        assertThat(driver.closedConnections()).isOne();
    }

    @Test
    void failedCommitIsInDoubtAndDiscardsConnection() {
        RuntimeException lost = new R2dbcNonTransientResourceException("lost", "08006");
        driver.on(Call.COMMIT).times(1).fails(lost);
        Connection connection = connection();
        completes(connection.beginTransaction());

        StepVerifier.create(connection.commitTransaction())
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(lost))
                .verify(LONG);
        completes(connection.close());

        assertThat(units.events()).containsExactly("began", "in doubt", "connection discarded");
    }

    @Test
    void transactionDefinitionIsApplied() {
        Connection connection = connection();
        completes(connection.beginTransaction(definition(Map.of(
                TransactionDefinition.ISOLATION_LEVEL,
                IsolationLevel.SERIALIZABLE,
                TransactionDefinition.READ_ONLY,
                true,
                TransactionDefinition.NAME,
                "of Spring"))));
        assertThat(connection.getTransactionIsolationLevel()).isEqualTo(IsolationLevel.SERIALIZABLE);
        assertThat(connection.toString()).isNotEmpty();
        completes(connection.rollbackTransaction());
        completes(connection.close());
    }

    @Test
    void enablingAutoCommitCommitsTransaction() {
        Connection connection = connection();
        completes(connection.beginTransaction());
        completes(connection.beginTransaction());
        completes(connection.setAutoCommit(false));
        assertThat(units.events()).containsExactly("began");

        completes(connection.setAutoCommit(true));

        assertThat(units.events()).containsExactly("began", "committed");
        assertThat(connection.isAutoCommit()).isTrue();
        completes(connection.close());
    }

    @Test
    void autoCommitStaysOffWhenTheCommitFails() {
        driver.on(Call.COMMIT).times(1).fails(fault);
        Connection connection = connection();
        completes(connection.beginTransaction());

        failsWithFault(connection.setAutoCommit(true));

        assertThat(calls()).doesNotContain("1 set autocommit true");
        completes(connection.close());
    }

    @Test
    void savepointWithoutTransactionBeginsOneThatCloseRollsBack() {
        Connection connection = connection();
        completes(connection.createSavepoint("s"));
        assertThat(units.events()).containsExactly("began");

        completes(connection.close());

        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    /** The message does not mention units, which the caller does not use. */
    @Test
    void isolationChangeInTransactionIsRejected() {
        Connection connection = connection();
        completes(connection.beginTransaction());
        IsolationLevel same = connection.getTransactionIsolationLevel();

        completes(connection.setTransactionIsolationLevel(same));
        completes(connection.beginTransaction(definition(Map.of(TransactionDefinition.ISOLATION_LEVEL, same))));
        rejectsIsolation(connection.setTransactionIsolationLevel(IsolationLevel.SERIALIZABLE));
        rejectsIsolation(connection.beginTransaction(
                definition(Map.of(TransactionDefinition.ISOLATION_LEVEL, IsolationLevel.SERIALIZABLE))));

        completes(connection.close());
    }

    private static void rejectsIsolation(Publisher<Void> call) {
        StepVerifier.create(call)
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(WorkException.class)
                        .hasMessageContaining("SERIALIZABLE")
                        .hasMessageNotContaining("unit"))
                .verify(LONG);
    }

    /** By then another subscriber may have begun a transaction on the connection. */
    @Test
    void callsAfterCloseDoNotReachTheConnection() {
        Connection closed = connection();
        completes(closed.close());
        Connection next = connection();
        completes(next.beginTransaction());
        driver.clear();

        for (Publisher<Void> call : List.of(
                closed.rollbackTransaction(),
                closed.commitTransaction(),
                closed.beginTransaction(),
                closed.rollbackTransactionToSavepoint("s"),
                closed.setAutoCommit(true))) {
            StepVerifier.create(call)
                    .expectErrorMessage("The connection was closed. Ask its factory for another one")
                    .verify(LONG);
        }
        StepVerifier.create(closed.validate(ValidationDepth.REMOTE))
                .expectNext(false)
                .expectComplete()
                .verify(LONG);

        assertThat(driver.calls()).isEmpty();
        completes(next.close());
    }

    @Test
    void transactionDefinitionIsSentToDriver() {
        FakeDriver postgresql = new FakeDriver("PostgreSQL");
        ReactiveEngineCache cache = ReactiveEngineCache.builder()
                .connectionFactory(options -> postgresql)
                .build();
        Connection connection = connection(cache.engine("r2dbc:fake://host/db").connectionFactory());
        completes(connection.beginTransaction(definition(Map.of(
                TransactionDefinition.READ_ONLY,
                true,
                TransactionDefinition.LOCK_WAIT_TIMEOUT,
                Duration.ofSeconds(2)))));
        completes(connection.rollbackTransaction());
        completes(connection.close());

        assertThat(postgresql.calls(Call.CREATE, Call.VALIDATE, Call.CLOSE))
                .containsExactly("1 begin readOnly=true", "1 execute SET LOCAL lock_timeout = 2000", "1 rollback");
        StepVerifier.create(cache.close()).expectComplete().verify(LONG);
    }

    private static TransactionDefinition definition(Map<Option<?>, Object> attributes) {
        return new TransactionDefinition() {
            @Override
            @SuppressWarnings("unchecked")
            public <T> @Nullable T getAttribute(Option<T> option) {
                return (T) attributes.get(option);
            }
        };
    }

    @Test
    void statementsJoinBoundConnection() {
        Connection connection = connection();
        bound.set(connection);
        completes(connection.beginTransaction());

        StepVerifier.create(engine.unitOfWork()
                        .execute(work ->
                                work.sql("a").update().then(engine.sql("b").update())))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        completes(connection.commitTransaction());
        completes(connection.close());

        assertThat(units.events()).containsExactly("began", "committed");
        assertThat(calls()).filteredOn(call -> call.contains("begin")).hasSize(1);
    }

    /** On the plain connection, a statement after the timeout would run in autocommit mode. */
    @Test
    void callsAfterTimeoutAreRejected() {
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
        try {
            Connection connection = connection(
                    engine.unitOfWork().timeout(Duration.ofMinutes(1)).connectionFactory());
            bound.set(connection);
            completes(connection.beginTransaction());
            insert(connection, "a").block(LONG);
            time.advanceTimeBy(Duration.ofMinutes(2));
            assertThat(units.events()).containsExactly("began", "rolled back");
            driver.clear();

            assertThatExceptionOfType(WorkException.class).isThrownBy(() -> connection.createStatement("b"));
            StepVerifier.create(engine.sql("joins").update())
                    .expectError(WorkException.class)
                    .verify(LONG);
            StepVerifier.create(connection.commitTransaction())
                    .expectError(WorkTimeoutException.class)
                    .verify(LONG);
            assertThat(calls()).isEmpty();
            completes(connection.close());
        } finally {
            VirtualTimeScheduler.reset();
        }
    }

    @Test
    void cancelledBeginCanBeRolledBack() {
        FakeGate gate = driver.on(Call.BEGIN).times(1).waits();
        Connection connection = connection();
        Mono.from(connection.beginTransaction()).subscribe().dispose();
        assertThatExceptionOfType(WorkException.class)
                .isThrownBy(() -> connection.createStatement("a"))
                .withMessageContaining("has not begun");
        AtomicReference<String> end = new AtomicReference<>("open");

        Mono.from(connection.rollbackTransaction())
                .then(Mono.from(connection.close()))
                .subscribe(nothing -> {}, e -> end.set(e.toString()), () -> end.set("closed"));
        gate.release();

        assertThat(end).hasValue("closed");
        assertThat(calls()).containsExactly("1 begin", "1 rollback");
    }

    /** Only a known dialect can recognise that the database has rolled back. */
    @Test
    void firstTransactionOfEngineDetectsRollbackByDatabase() {
        FakeDriver mariaDb = new FakeDriver("MariaDB");
        mariaDb.on(Call.EXECUTE, "x"::equals).times(1).fails(new R2dbcRollbackException("deadlock", "40001", 1213));
        ReactiveEngineCache cache = ReactiveEngineCache.builder()
                .connectionFactory(options -> mariaDb)
                .build();
        Connection connection = connection(cache.engine("r2dbc:fake://host/db").connectionFactory());
        completes(connection.beginTransaction());
        insert(connection, "a").block(LONG);
        insert(connection, "x").onErrorReturn(0L).block(LONG);

        StepVerifier.create(insert(connection, "b"))
                .expectError(WorkException.class)
                .verify(LONG);
        StepVerifier.create(connection.commitTransaction())
                .expectError(UnexpectedRollbackException.class)
                .verify(LONG);
        completes(connection.close());
        StepVerifier.create(cache.close()).expectComplete().verify(LONG);
        assertThat(mariaDb.calls()).doesNotContain("1 execute b", "1 commit");
    }

    /** After an error PostgreSQL rejects the release of a savepoint, but not a rollback to it. */
    @Test
    void failedNestedCommitCanStillBeRolledBack() {
        Connection connection = connection();
        completes(connection.beginTransaction());
        completes(connection.beginTransaction());
        driver.on(Call.RELEASE_SAVEPOINT).times(1).fails(fault);
        failsWithFault(connection.commitTransaction());
        completes(connection.rollbackTransaction());
        completes(connection.commitTransaction());
        completes(connection.close());

        assertThat(calls()).containsSubsequence("1 rollback to savepoint r2dbc_engine_1", "1 commit");
    }

    /** A bound connection without a transaction, and one that another factory created. */
    @Test
    void boundConnectionWithoutTransactionIsNotJoined() {
        Connection connection = connection();
        bound.set(connection);
        completes(connection.close());
        StepVerifier.create(engine.sql("a").update())
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);

        bound.set(Mono.from(driver.create()).block(LONG));
        StepVerifier.create(engine.sql("a").update())
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        completes(Objects.requireNonNull(bound.get()).close());
    }
}
