package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Spring and jOOQ on the connection factories of an engine, on every real database. */
@Tag("interoperation")
abstract class OtherLibrariesContract {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final TestedDriver driver;
    private final IllegalStateException failure = new IllegalStateException("on purpose");
    private final ReactiveEngineCache engines = ReactiveEngineCache.create();
    private TestDatabase database;
    private Engine engine;

    @SuppressWarnings("NullAway.Init") // before each test
    OtherLibrariesContract(TestedDriver driver) {
        this.driver = driver;
    }

    @BeforeAll
    static void silenceJooq() {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
    }

    @BeforeEach
    void setUp() {
        database = TestDatabase.fresh(driver.server()).keepAlive();
        engine = engines.engine(driver.url(database.url()));
        database.execute("create table item (name varchar(60))").block(LONG);
        engine.open().block(LONG);
    }

    @AfterEach
    void allConnectionsAreReleased() {
        Flux.interval(Duration.ofMillis(5))
                .filter(tick -> engines.engines().stream()
                        .allMatch(status -> status.connections().borrowed() == 0))
                .blockFirst(LONG);
        StepVerifier.create(engines.close()).expectComplete().verify(LONG);
        database.close();
    }

    private List<String> items() {
        return Objects.requireNonNull(database.query("select name from item order by name", String.class)
                .block(LONG));
    }

    private static String insert(String name) {
        return "insert into item (name) values ('" + name + "')";
    }

    private static Mono<Long> insert(Work work, String name) {
        return work.sql(insert(name)).update();
    }

    private void succeeds(Function<Work, Mono<Long>> body) {
        StepVerifier.create(engine.unitOfWork().execute(body))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
    }

    private void fails(Function<Work, Mono<Long>> body) {
        StepVerifier.create(engine.unitOfWork().execute(work -> body.apply(work).then(Mono.<Long>error(failure))))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
    }

    /* Spring */

    private Mono<Long> springInsert(String name) {
        return DatabaseClient.create(engine.connectionFactory())
                .sql(insert(name))
                .fetch()
                .rowsUpdated();
    }

    private Mono<Long> springTransaction(Mono<Long> inner) {
        return springTransaction(new DefaultTransactionDefinition(), inner);
    }

    private Mono<Long> springTransaction(TransactionDefinition definition, Mono<Long> inner) {
        return TransactionalOperator.create(new R2dbcTransactionManager(engine.connectionFactory()), definition)
                .transactional(inner);
    }

    @Test
    void springClientJoinsUnit() {
        fails(work -> insert(work, "a").then(springInsert("b")));
        assertThat(items()).isEmpty();

        succeeds(work -> insert(work, "a").then(springInsert("b")).then(insert(work, "c")));
        assertThat(items()).containsExactly("a", "b", "c");
    }

    @Test
    void springClientSeesWritesOfUnit() {
        succeeds(work -> insert(work, "a")
                .then(DatabaseClient.create(engine.connectionFactory())
                        .sql("select count(*) from item where name = :name")
                        .bind("name", "a")
                        .mapValue(Long.class)
                        .one())
                .doOnNext(count -> assertThat(count).isOne()));
    }

    @Test
    void springTransactionRollsBackWithUnit() {
        fails(work -> insert(work, "a").then(springTransaction(springInsert("b"))));
        assertThat(items()).isEmpty();

        succeeds(work -> insert(work, "a").then(springTransaction(springInsert("b"))));
        assertThat(items()).containsExactly("a", "b");
    }

    @Test
    void failedSpringTransactionInUnitRollsBackToSavepoint() {
        succeeds(work -> insert(work, "a")
                .then(springTransaction(springInsert("b").then(Mono.error(failure)))
                        .onErrorResume(e -> insert(work, "c"))));

        assertThat(items()).containsExactly("a", "c");
    }

    @Test
    void nestedSpringTransactionFailsAlone() {
        TransactionDefinition nested = new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED);
        Mono<Long> outer = springTransaction(springInsert("a")
                .then(springTransaction(nested, springInsert("b").then(Mono.error(failure))))
                .onErrorResume(e -> springTransaction(nested, springInsert("c"))));

        StepVerifier.create(outer).expectNext(1L).expectComplete().verify(LONG);
        assertThat(items()).containsExactly("a", "c");

        fails(work -> outer);
        assertThat(items()).containsExactly("a", "c");
    }

    @Test
    void springTransactionDefinitionIsReverted() {
        DefaultTransactionDefinition serializable = new DefaultTransactionDefinition();
        serializable.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
        serializable.setTimeout(20);
        IsolationLevel before = isolation();

        StepVerifier.create(springTransaction(serializable, springInsert("a")))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("a");
        assertThat(isolation()).isEqualTo(before);
    }

    private IsolationLevel isolation() {
        return Objects.requireNonNull(Mono.usingWhen(
                        engine.connectionFactory().create(),
                        connection -> Mono.just(connection.getTransactionIsolationLevel()),
                        Connection::close)
                .block(LONG));
    }

    @Test
    void unitInSpringTransactionIsIndependent() {
        StepVerifier.create(springTransaction(
                        engine.unitOfWork().execute(work -> insert(work, "a")).then(Mono.error(failure))))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).containsExactly("a");
    }

    @Test
    void springWorksOutsideUnits() {
        StepVerifier.create(springInsert("a")).expectNext(1L).expectComplete().verify(LONG);
        StepVerifier.create(springTransaction(springInsert("b").then(springInsert("c"))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(springTransaction(springInsert("d").then(Mono.error(failure))))
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);

        assertThat(items()).containsExactly("a", "b", "c");
    }

    /* jOOQ */

    private static Mono<Long> jooqInsert(DSLContext jooq, String name) {
        return Flux.from(jooq.query(insert(name))).single().map(Integer::longValue);
    }

    /* jOOQ emits the value before the commit, so this waits for the completion. */
    private static Mono<Long> jooqTransaction(DSLContext jooq, Function<DSLContext, Mono<Long>> body) {
        return Flux.from(jooq.transactionPublisher(inner -> body.apply(DSL.using(inner))))
                .single();
    }

    @Test
    void jooqOnUnitFactoryJoinsUnit() {
        fails(work -> insert(work, "a").then(jooqInsert(DSL.using(work.connectionFactory()), "b")));
        assertThat(items()).isEmpty();

        succeeds(work -> insert(work, "a").then(jooqInsert(DSL.using(work.connectionFactory()), "b")));
        assertThat(items()).containsExactly("a", "b");
    }

    @Test
    void jooqTransactionRollsBackWithUnit() {
        fails(work -> insert(work, "a")
                .then(jooqTransaction(DSL.using(work.connectionFactory()), inner -> jooqInsert(inner, "b"))));
        assertThat(items()).isEmpty();

        succeeds(work -> insert(work, "a")
                .then(jooqTransaction(DSL.using(work.connectionFactory()), inner -> jooqInsert(inner, "b"))));
        assertThat(items()).containsExactly("a", "b");
    }

    @Test
    void failedJooqTransactionInUnitRollsBackToSavepoint() {
        succeeds(work -> insert(work, "a")
                .then(jooqTransaction(
                                DSL.using(work.connectionFactory()),
                                inner -> jooqInsert(inner, "b").then(Mono.error(failure)))
                        .onErrorResume(e -> insert(work, "c"))));

        assertThat(items()).containsExactly("a", "c");
    }

    private static Mono<Long> jooqNested(DSLContext jooq, Throwable failure) {
        return jooqTransaction(
                jooq,
                outer -> jooqInsert(outer, "a")
                        .then(jooqTransaction(
                                outer, inner -> jooqInsert(inner, "b").then(Mono.error(failure))))
                        .onErrorResume(e -> jooqTransaction(outer, inner -> jooqInsert(inner, "c"))));
    }

    @Test
    void nestedJooqTransactionFailsAlone() {
        StepVerifier.create(jooqNested(DSL.using(engine.connectionFactory()), failure))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        assertThat(items()).containsExactly("a", "c");

        fails(work -> jooqNested(DSL.using(work.connectionFactory()), failure));
        assertThat(items()).containsExactly("a", "c");

        succeeds(work -> jooqNested(DSL.using(work.connectionFactory()), failure));
        assertThat(items()).containsExactly("a", "a", "c", "c");
    }

    @Test
    void jooqOnEngineFactoryIsOutsideUnit() {
        fails(work -> insert(work, "a").then(jooqInsert(DSL.using(engine.connectionFactory()), "b")));

        assertThat(items()).containsExactly("b");
    }

    @Test
    void jooqWorksOutsideUnits() {
        DSLContext jooq = DSL.using(engine.connectionFactory());

        StepVerifier.create(jooqInsert(jooq, "a").then(jooqTransaction(jooq, inner -> jooqInsert(inner, "b"))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(
                        jooqTransaction(jooq, inner -> jooqInsert(inner, "c").then(Mono.error(failure))))
                .expectErrorSatisfies(e -> assertThat(e).hasStackTraceContaining("on purpose"))
                .verify(LONG);
        StepVerifier.create(Flux.from(jooq.resultQuery("select name from item order by name"))
                        .map(row -> row.get(0, String.class)))
                .expectNext("a", "b")
                .expectComplete()
                .verify(LONG);
    }
}
