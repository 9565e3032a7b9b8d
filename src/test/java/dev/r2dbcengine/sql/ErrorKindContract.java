package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.ErrorKind;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Each kind of error, made for real. */
abstract class ErrorKindContract {

    final SqlDatabase database;
    final SqlTestBed bed;

    ErrorKindContract(SqlDatabase database) {
        this.database = database;
        this.bed = new SqlTestBed(database);
    }

    @AfterEach
    void close() {
        bed.close();
    }

    @BeforeEach
    void tables() {
        bed.run(
                "drop table if exists child",
                "drop table if exists parent",
                "create table parent(id int primary key, n int not null, check (n < 100))",
                "create table child(id int primary key, parent_id int, foreign key (parent_id) references parent(id))",
                "insert into parent values (1, 1)",
                "insert into parent values (2, 2)",
                "insert into child values (1, 1)");
    }

    private void kind(ErrorKind kind, String sql) {
        StepVerifier.create(bed.sql(sql).update())
                .expectErrorSatisfies(e ->
                        assertThat(bed.dialect().kindOf(e)).as(sql + ": " + e).isEqualTo(kind))
                .verify(LONG);
    }

    @Test
    void violatedConstraintHasItsKind() {
        kind(ErrorKind.DUPLICATE_KEY, "insert into parent values (1, 1)");
        kind(ErrorKind.FOREIGN_KEY, "insert into child values (2, 99)");
        kind(ErrorKind.FOREIGN_KEY, "delete from parent where id = 1");
        kind(ErrorKind.NOT_NULL, "insert into parent(id, n) values (3, null)");
        kind(ErrorKind.NOT_NULL, "insert into parent(id) values (3)");
        kind(ErrorKind.CHECK, "insert into parent values (3, 100)");
        kind(ErrorKind.OTHER, "selectt");
    }

    @Test
    void statementErrorKeepsSession() {
        Long session = bed.session();
        for (String sql : database.refused()) {
            kind(ErrorKind.OTHER, sql);
            assertThat(bed.session()).as(sql).isEqualTo(session);
        }
    }

    @Test
    void lockWaitThatTimesOutIsLockTimeout() {
        try (Session holder = new Session(bed);
                Session waiter = new Session(bed)) {
            holder.begin().run("update parent set n = 3 where id = 1");
            waiter.run(database.shortLockWait()).begin();
            assertThat(waiter.failure("update parent set n = 4 where id = 1")).isEqualTo(ErrorKind.LOCK_TIMEOUT);
        }
    }

    @Test
    void deadlockFailsOneOfTwoTransactions() {
        try (Session one = new Session(bed);
                Session two = new Session(bed)) {
            one.begin().run("update parent set n = 3 where id = 1");
            two.begin().run("update parent set n = 4 where id = 2");
            List<ErrorKind> kinds = new CopyOnWriteArrayList<>();
            Mono<Void> first = one.later("update parent set n = 3 where id = 2", kinds);
            Mono<Void> second = two.later("update parent set n = 4 where id = 1", kinds);
            StepVerifier.create(Mono.when(first, second)).expectComplete().verify(LONG);
            assertThat(kinds).containsExactly(ErrorKind.DEADLOCK);
        }
    }

    @Test
    void transactionsThatCannotBeOrderedAreAConflict() {
        try (Session one = new Session(bed);
                Session two = new Session(bed)) {
            one.run(database.serializable()).begin();
            two.run(database.serializable()).begin();
            one.run("select n from parent where id = 1");
            two.run("select n from parent where id = 1")
                    .run("update parent set n = n + 1 where id = 1")
                    .commit();
            assertThat(one.failure("update parent set n = n + 1 where id = 1")).isEqualTo(database.conflict());
        }
    }

    @Test
    void statementCancelledFromOutsideIsCancelled() {
        try (Session running = new Session(bed);
                Session other = new Session(bed)) {
            String ending = database.endStatement(running.number(database.session()));
            List<ErrorKind> kinds = new CopyOnWriteArrayList<>();
            Mono<Void> slow = running.later(database.slow(), kinds);
            Mono<Void> end = Mono.<Void>fromRunnable(() -> other.run(ending))
                    .subscribeOn(Schedulers.boundedElastic())
                    .repeatWhen(again -> again.delayElements(Duration.ofMillis(100)))
                    .takeUntil(any -> !kinds.isEmpty())
                    .takeUntilOther(slow)
                    .then();
            StepVerifier.create(end).expectComplete().verify(LONG);
            assertThat(kinds).containsExactly(ErrorKind.CANCELLED);
        }
    }

    @Test
    void lostConnectionHasItsKind() {
        try (Session lost = new Session(bed);
                Session other = new Session(bed)) {
            String ending = database.endSession(lost.number(database.session()));
            (database.endsOthersSessions() ? other : lost).run(ending);
            List<ErrorKind> kinds = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                kinds.add(lost.failure("select n from parent"));
            }
            assertThat(kinds).allMatch(kind -> kind == ErrorKind.CONNECTION_LOST);
        }
    }

    /** One connection, used by hand. */
    static final class Session implements AutoCloseable {
        private final Connection connection;
        private final SqlTestBed bed;

        Session(SqlTestBed bed) {
            this.bed = bed;
            this.connection = bed.connect();
        }

        Session begin() {
            Mono.from(connection.beginTransaction()).block(LONG);
            return this;
        }

        void commit() {
            Mono.from(connection.commitTransaction()).block(LONG);
        }

        Session run(String sql) {
            statement(sql).block(LONG);
            return this;
        }

        private Mono<Void> statement(String sql) {
            return Flux.defer(() -> connection.createStatement(sql).execute())
                    .concatMap(result -> result.map((row, metadata) -> 1))
                    .then();
        }

        String number(String query) {
            return Objects.requireNonNull(
                            bed.on(connection, query).map(Long.class).one().block(LONG))
                    .toString();
        }

        Mono<Void> later(String sql, List<ErrorKind> kinds) {
            return statement(sql)
                    .onErrorResume(e -> {
                        kinds.add(bed.dialect().kindOf(e));
                        return Mono.from(connection.rollbackTransaction()).onErrorComplete();
                    })
                    .subscribeOn(Schedulers.boundedElastic());
        }

        ErrorKind failure(String sql) {
            Throwable e = statement(sql)
                    .then(Mono.<Throwable>empty())
                    .onErrorResume(Mono::just)
                    .block(LONG);
            assertThat(e).as(sql).isInstanceOf(R2dbcException.class);
            return bed.dialect().kindOf(e);
        }

        @Override
        public void close() {
            Mono.from(connection.rollbackTransaction())
                    .onErrorComplete()
                    .then(Mono.from(connection.close()).onErrorComplete())
                    .block(LONG);
        }
    }
}
