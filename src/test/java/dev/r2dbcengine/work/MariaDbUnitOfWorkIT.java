package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.testing.Server;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class MariaDbUnitOfWorkIT extends DatabaseUnitOfWorkContract {
    MariaDbUnitOfWorkIT() {
        super(Server.MARIADB);
    }

    /* The isolation of the running transaction, once it has read something, and what the next ones will have. The server
    shows the transactions as they were up to 0.1 s ago. */
    @Override
    Mono<String> settings(Engine of) {
        return of.sql("select count(*) + sleep(0.2) from item")
                .map(Long.class)
                .one()
                .then(of.sql("select concat_ws(' ', coalesce((select trx_isolation_level from"
                                + " information_schema.innodb_trx where trx_mysql_thread_id = connection_id()), ''), ("
                                + Sessions.settings(server) + "))")
                        .map(String.class)
                        .one());
    }

    /* That the transaction is read only it does not tell, and the limit of time is the library's. */
    @Override
    String specialSettings() {
        return "SERIALIZABLE REPEATABLE-READ OFF 3 0.000000 ON";
    }

    @Override
    String endlessInsert() {
        return "insert into item(name) values (sleep(60))";
    }

    @Override
    Mono<Void> loseConnection(Work work) {
        return work.sql("select connection_id()").map(Long.class).one().flatMap(id -> database.execute("kill " + id));
    }

    @Test
    void aStatementThatOutlivesItsUnitIsEndedAfterTheGraceTime() {
        String running = "select count(*) from information_schema.processlist where info = 'select sleep(60)'";

        StepVerifier.create(unit().graceTime(SHORT)
                        .execute(work -> insert(work, "a")
                                .then(leftWhileItRuns(
                                        work.sql("select sleep(60)")
                                                .map(Long.class)
                                                .one(),
                                        running))))
                .expectError(IllegalStateException.class)
                .verify(Duration.ofSeconds(20));

        assertThat(units.events()).contains("statement ended", "rolled back", "connection discarded");
        StepVerifier.create(database.query(running, Long.class))
                .expectNext(List.of(0L))
                .verifyComplete();
    }
}
