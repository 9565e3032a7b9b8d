package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.RandomCancels;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.work.Propagation;
import dev.r2dbcengine.work.UnexpectedRollbackException;
import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.Work;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;
import dev.r2dbcengine.work.WorkTimeoutException;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Statements and units in Spring's transactions, and Spring's transactions in units, on every real database. */
abstract class SpringTransactionsContract {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int POOL = 2;

    private final Server server;
    private final IllegalStateException failure = new IllegalStateException("on purpose");
    private final List<String> outcomes = new CopyOnWriteArrayList<>();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .settings(EngineSettings.builder().maxSize(POOL).build())
            .boundConnections(new SpringTransactions())
            .listener(new OutcomeListener())
            .build();
    private TestDatabase database;
    private Engine engine;
    private ConnectionFactory factory;

    @SuppressWarnings("NullAway.Init") // before each test
    SpringTransactionsContract(Server server) {
        this.server = server;
    }

    private final class OutcomeListener implements WorkListener {
        @Override
        public void committed(WorkExecution unit, Duration duration) {
            outcomes.add("committed " + unit.name());
        }

        @Override
        public void rolledBack(WorkExecution unit, Duration duration) {
            outcomes.add("rolled back " + unit.name());
        }
    }

    @BeforeEach
    void fresh() {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        database = TestDatabase.fresh(server).keepAlive();
        database.execute("create table item (name varchar(60))").block(LONG);
        engine = engines.engine(database.url());
        factory = engine.connectionFactory();
    }

    @AfterEach
    void closeEngines() {
        settle();
        StepVerifier.create(engines.close()).expectComplete().verify(LONG);
        database.close();
    }

    private void settle() {
        Flux.interval(Duration.ofMillis(5))
                .filter(tick -> engines.engines().stream()
                        .allMatch(status -> status.connections().borrowed() == 0))
                .blockFirst(LONG);
    }

    private List<String> items() {
        return Objects.requireNonNull(database.query("select name from item order by name", String.class)
                .block(LONG));
    }

    private static String insert(String name) {
        return "insert into item (name) values ('" + name + "')";
    }

    private Mono<Long> spring(String name) {
        return DatabaseClient.create(factory).sql(insert(name)).fetch().rowsUpdated();
    }

    private Mono<Long> engineInsert(String name) {
        return engine.sql(insert(name)).update();
    }

    private static Mono<Long> engineInsert(Work work, String name) {
        return work.sql(insert(name)).update();
    }

    private TransactionalOperator transactions(int propagation) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition(propagation);
        definition.setName("spring");
        return TransactionalOperator.create(new EngineTransactionManager(factory), definition);
    }

    private <T> Mono<T> transaction(Mono<T> body) {
        return transactions(TransactionDefinition.PROPAGATION_REQUIRED).transactional(body);
    }

    private void commits(Mono<?> body) {
        StepVerifier.create(transaction(body.then())).expectComplete().verify(LONG);
    }

    private void rollsBack(Mono<?> body) {
        StepVerifier.create(transaction(body.then(Mono.error(failure))))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
    }

    @Test
    void timeoutOfSpringTransactionRollsItBack() {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setTimeout(1);
        definition.setName("timed");
        Mono<Void> timeout = Flux.interval(Duration.ofMillis(5))
                .filter(tick -> outcomes.contains("rolled back timed"))
                .next()
                .then();

        StepVerifier.create(TransactionalOperator.create(new EngineTransactionManager(factory), definition)
                        .transactional(spring("a").then(timeout)))
                .expectError(WorkTimeoutException.class)
                .verify(LONG);
        assertThat(items()).isEmpty();
        assertThat(outcomes).containsExactly("rolled back timed");
    }

    @Test
    void statementsJoinASpringTransaction() {
        rollsBack(spring("a").then(engineInsert("b")));
        assertThat(items()).isEmpty();

        commits(spring("a").then(engineInsert("b")).then(spring("c")).then(engineInsert("d")));
        assertThat(items()).containsExactly("a", "b", "c", "d");
        assertThat(outcomes).containsExactly("rolled back spring", "committed spring");
    }

    @Test
    void statementReadsUncommittedRowsOfSpringTransaction() {
        commits(spring("a")
                .then(engine.sql("select count(*) from item").map(Long.class).one())
                .doOnNext(count -> assertThat(count).isOne()));
    }

    /** Concurrent statements share the one connection of the transaction. */
    @Test
    void concurrentStatementsAreSerializedInSpringTransaction() {
        commits(Mono.zip(
                engineInsert("a"), engineInsert("b"), engine.unitOfWork().execute(work -> engineInsert(work, "c"))));

        assertThat(items()).containsExactly("a", "b", "c");
    }

    @Test
    void unitJoinsSpringTransaction() {
        rollsBack(spring("a").then(engine.unitOfWork().execute(work -> engineInsert(work, "b"))));
        assertThat(items()).isEmpty();

        commits(spring("a")
                .then(engine.unitOfWork()
                        .propagation(Propagation.MANDATORY)
                        .execute(work -> engineInsert(work, "b").then(spring("c")))));
        assertThat(items()).containsExactly("a", "b", "c");
    }

    @Test
    void failedUnitMarksSpringTransactionRollbackOnly() {
        StepVerifier.create(transaction(spring("a")
                        .then(engine.unitOfWork()
                                .execute(work -> engineInsert(work, "b").then(Mono.<Long>error(failure))))
                        .onErrorReturn(0L)))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .hasCause(failure))
                .verify(LONG);

        assertThat(items()).isEmpty();
    }

    @Test
    void failedNestedUnitRollsBackToSavepoint() {
        commits(spring("a")
                .then(engine.unitOfWork()
                        .propagation(Propagation.NESTED)
                        .execute(work -> engineInsert(work, "b").then(Mono.<Long>error(failure))))
                .onErrorResume(e -> spring("c")));

        assertThat(items()).containsExactly("a", "c");
    }

    /** All code in the new unit takes part in it, Spring's included. */
    @Test
    void requiresNewUnitCommitsIndependently() {
        UnitOfWork own =
                engine.unitOfWork().propagation(Propagation.REQUIRES_NEW).name("own");

        rollsBack(spring("a")
                .then(own.execute(
                        work -> engineInsert(work, "b").then(spring("c")).then(transaction(spring("d")))))
                .then(spring("e")));

        assertThat(items()).containsExactly("b", "c", "d");
        assertThat(outcomes).containsExactly("committed own", "rolled back spring");
    }

    @Test
    void hooksOfUnitRunAfterSpringTransaction() {
        UnitOfWork units = engine.unitOfWork();

        rollsBack(units.execute(work -> {
                    work.afterCommit(Mono.fromRunnable(() -> outcomes.add("after commit")));
                    work.afterRollback(Mono.fromRunnable(() -> outcomes.add("after rollback")));
                    return engineInsert(work, "a");
                })
                .doOnNext(rows -> outcomes.add("unit is over")));
        commits(units.execute(work -> {
                    work.beforeCommit(engineInsert(work, "c").then());
                    work.afterCommit(Mono.fromRunnable(() -> outcomes.add("after commit")));
                    return engineInsert(work, "b");
                })
                .doOnNext(rows -> outcomes.add("unit is over")));

        assertThat(outcomes)
                .containsExactly(
                        "unit is over",
                        "rolled back spring",
                        "after rollback",
                        "unit is over",
                        "committed spring",
                        "after commit");
        assertThat(items()).containsExactly("b", "c");
    }

    @Test
    void jooqInUnitJoinsSpringTransaction() {
        Mono<Integer> jooq = engine.unitOfWork()
                .execute(work -> Flux.from(DSL.using(work.connectionFactory()).query(insert("b")))
                        .single());

        rollsBack(spring("a").then(jooq));
        assertThat(items()).isEmpty();

        commits(spring("a").then(jooq));
        assertThat(items()).containsExactly("a", "b");
    }

    @Test
    void springTransactionInUnitIsSavepoint() {
        StepVerifier.create(engine.unitOfWork()
                        .execute(work -> engineInsert(work, "a")
                                .then(transaction(
                                        spring("b").then(engineInsert("c")).then(Mono.<Long>error(failure))))
                                .onErrorResume(e -> transaction(spring("d").then(engineInsert("e"))))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a", "d", "e");
    }

    @Test
    void nestedSpringTransactionsAreSavepoints() {
        TransactionalOperator nested = transactions(TransactionDefinition.PROPAGATION_NESTED);
        commits(spring("a")
                .then(nested.transactional(engineInsert("b").then(Mono.<Long>error(failure))))
                .onErrorResume(e -> nested.transactional(engineInsert("c"))));

        assertThat(items()).containsExactly("a", "c");
    }

    @Test
    void requiresNewSpringTransactionHasOwnConnection() {
        rollsBack(engineInsert("a")
                .then(transactions(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                        .transactional(engineInsert("b").then(spring("c"))))
                .then(engineInsert("d")));

        assertThat(items()).containsExactly("b", "c");
    }

    @Test
    void setupOfUnitsAppliesToSpringTransactions() {
        factory = engine.unitOfWork()
                .onBegin(work -> engineInsert(work, "set up"))
                .connectionFactory();

        commits(spring("a"));

        assertThat(items()).containsExactly("a", "set up");
    }

    /**
     * In-flight statements are never cancelled, and a transaction that begins during the cancellation is rolled back.
     */
    @Test
    void cancelledSpringTransactionIsAtomic() {
        commits(spring("warm"));
        outcomes.clear();
        RandomCancels cancels = new RandomCancels();
        List<String> delivered = new CopyOnWriteArrayList<>();
        Flux.range(0, Proof.rounds(400, 20_000))
                .flatMap(
                        i -> cancels.next(transaction(spring("u" + i).then(engineInsert("u" + i)))
                                .subscribeOn(Schedulers.parallel())
                                .doOnNext(rows -> delivered.add("u" + i))),
                        8)
                .blockLast(Duration.ofMinutes(10));
        settle();

        List<String> stored = Objects.requireNonNull(
                database.query("select distinct name from item where name <> 'warm'", String.class)
                        .block(LONG));
        assertThat(stored).as("committed").containsAll(delivered).hasSizeGreaterThan(delivered.size());
        assertThat(outcomes.stream().filter("committed spring"::equals)).hasSameSizeAs(stored);
        List<String> partial = Objects.requireNonNull(database.query(
                        "select name from item where name <> 'warm' group by name having count(*) <> 2", String.class)
                .block(LONG));
        assertThat(partial).as("partially committed").isEmpty();
        assertThat(outcomes).as("cancelled after it began").contains("rolled back spring");
    }
}
