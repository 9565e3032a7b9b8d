package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.testing.Server;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class PostgreSqlUnitOfWorkIT extends DatabaseUnitOfWorkContract {
    PostgreSqlUnitOfWorkIT() {
        super(Server.POSTGRESQL);
    }

    /* The library enforces the timeout itself. */
    @Override
    String specialSettings() {
        return "serializable on 3s 0 read committed off";
    }

    @Override
    String endlessInsert() {
        return "insert into item(name) values (cast(pg_sleep(60) as text))";
    }

    @Override
    String delayedDuplicateInsert() {
        return "insert into item(id) select id from item, pg_sleep(0.1)";
    }

    @Override
    Mono<Void> loseConnection(Work work) {
        return work.sql("select pg_backend_pid()")
                .map(Integer.class)
                .one()
                .flatMap(pid -> database.execute("select pg_terminate_backend(" + pid + ")"));
    }

    /* As on a server that was demoted. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sessionThatAcceptsNoWritesIsReplaced(boolean inUnit) {
        Engine one = engines.engine(database.url() + "?maxSize=1&applicationName=read-only");
        Mono<Long> insert = one.sql("insert into item (name) values ('a')").update();
        Mono<Long> write = inUnit ? one.unitOfWork().execute(work -> insert) : insert;

        StepVerifier.create(one.sql("set default_transaction_read_only = on")
                        .update()
                        .then(write))
                .expectErrorSatisfies(
                        e -> assertThat(Dialect.POSTGRESQL.kindOf(e)).isEqualTo(ErrorKind.READ_ONLY_SERVER))
                .verify(LONG);
        StepVerifier.create(write).expectNext(1L).expectComplete().verify(LONG);
    }

    @Test
    void swallowedStatementErrorFailsCommitWithRollbackException() {
        StepVerifier.create(unit().execute(work -> insert(work, "a")
                        .then(work.sql("insert into item (id, name) values (1, 'b')")
                                .update())
                        .onErrorReturn(7L)))
                .expectErrorSatisfies(
                        e -> assertThat(e.getClass().getSimpleName()).isEqualTo("PostgresqlRollbackException"))
                .verify(LONG);

        assertThat(items()).isEmpty();
        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    /** The driver reports each SQLSTATE that it does not know as a non-transient resource exception. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "do 'begin raise exception ''on purpose''; end'",
                "release savepoint nowhere",
                "create database within_a_transaction",
                "select lo_unlink(0)"
            })
    void rejectedStatementKeepsConnectionInPool(String refused) {
        StepVerifier.create(unit().execute(work ->
                        work.sql(refused).update().onErrorComplete().then(insert(work, "a"))))
                .expectError(R2dbcException.class)
                .verify(LONG);

        assertThat(units.events()).containsExactly("began", "rolled back");
    }

    /** In an aborted transaction the driver skips the release of a savepoint, and completes. */
    @Test
    void savepointWithSwallowedErrorFailsAlone() {
        StepVerifier.create(unit().execute(work -> work.savepoint(inner -> insert(inner, "a")
                                .then(inner.sql("insert into nowhere values (1)")
                                        .update()
                                        .onErrorReturn(7L))
                                .delayElement(SHORT))
                        .onErrorResume(
                                WorkException.class, e -> insert(work, "b").thenReturn(8L))))
                .expectNext(8L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("b");
    }

    /** jOOQ and Spring begin nested transactions in this way. */
    @Test
    void nestedBeginIsRejectedAfterSwallowedStatementError() {
        StepVerifier.create(unit().execute(work -> work.connection()
                        .flatMap(connection -> Mono.from(connection.beginTransaction())
                                .then(work.sql("insert into nowhere values (1)")
                                        .update()
                                        .onErrorComplete())
                                .then(Mono.delay(SHORT))
                                .then(rejected(connection.beginTransaction()))
                                .then(Mono.from(connection.rollbackTransaction()))
                                .then(insert(work, "b")))))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(items()).containsExactly("b");
    }

    private static Mono<Void> rejected(Publisher<Void> call) {
        return Mono.from(call)
                .then(Mono.<Void>error(new AssertionError("not rejected")))
                .onErrorResume(WorkException.class, e -> Mono.empty());
    }

    @Test
    void outdatedPlanFailsNoUnit() {
        Engine one = engines.engine(database.url() + "?maxSize=1");
        UnitOfWork first = one.unitOfWork();
        insertAndReadAll(first).block(LONG);
        readAll(one::sql).block(LONG);

        for (int i = 0; i < 3; i++) {
            database.execute("alter table item add column c" + i + " int").block(LONG);
            StepVerifier.create(i == 0 ? readAll(one::sql) : first.execute(work -> readAll(work::sql)))
                    .expectNext(1L)
                    .expectComplete()
                    .verify(LONG);
        }
        database.execute("alter table item add column last int").block(LONG);
        StepVerifier.create(insertAndReadAll(first.retry(RetryPolicy.times(1))))
                .expectNext(2L)
                .expectComplete()
                .verify(LONG);
        assertThat(units.events()).contains("retrying after 1");
    }

    private Mono<Long> insertAndReadAll(UnitOfWork unit) {
        return unit.execute(work -> insert(work, "a").then(readAll(work::sql)));
    }

    private static Mono<Long> readAll(Function<String, SqlStatement> sql) {
        return sql.apply("select * from item where id > :id")
                .bind("id", 0)
                .map((row, metadata) -> 1L)
                .all()
                .count();
    }

    @Test
    void deferredConstraintFailsCommitWithDriverError() {
        database.execute("alter table item add constraint one unique (name) deferrable initially deferred")
                .block(LONG);

        StepVerifier.create(unit().execute(work -> insert(work, "a").then(insert(work, "a"))))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOfSatisfying(
                                R2dbcException.class,
                                error -> assertThat(error.getSqlState()).isEqualTo("23505")))
                .verify(LONG);

        assertThat(items()).isEmpty();
        StepVerifier.create(unit().execute(work -> insert(work, "b")))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void statementOutlivingItsUnitIsTerminatedAfterGraceTime() {
        String running = "select count(*) from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active'"
                + " and pid <> pg_backend_pid()";

        StepVerifier.create(unit().graceTime(SHORT)
                        .execute(work -> insert(work, "a")
                                .then(cancelledWhileRunning(
                                        work.sql("select cast(pg_sleep(60) as text)")
                                                .map(String.class)
                                                .one()
                                                .thenReturn(1L),
                                        running))))
                .expectError(IllegalStateException.class)
                .verify(Duration.ofSeconds(20));

        assertThat(units.events()).contains("statement ended", "rolled back", "connection discarded");
        StepVerifier.create(database.query(running, Long.class))
                .expectNext(List.of(0L))
                .verifyComplete();
    }
}
