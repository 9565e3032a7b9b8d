package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class MariaDbUnitOfWorkIT extends MySqlFamilyUnitOfWorkContract {
    MariaDbUnitOfWorkIT() {
        super(Server.MARIADB);
    }

    /* The isolation of the running transaction, once it has read a row, and the settings of later ones. The view innodb_trx
    is up to 0.1 s old. */
    @Override
    Mono<String> settings(Engine engine) {
        return engine.sql("select count(*) + sleep(0.2) from item")
                .map(Long.class)
                .one()
                .then(engine.sql("select concat_ws(' ', coalesce((select trx_isolation_level from"
                                + " information_schema.innodb_trx where trx_mysql_thread_id = connection_id()), ''), ("
                                + Sessions.settings(server) + "))")
                        .map(String.class)
                        .one());
    }

    /* The server does not report a read-only transaction, and the library enforces the timeout itself. */
    @Override
    String specialSettings() {
        return "SERIALIZABLE REPEATABLE-READ OFF 3 0.000000 ON";
    }

    private String sequential() {
        String host = database.host() + ":" + database.port();
        return database.url().replace("mariadb:", "mariadb:sequential:").replace(host, host + "," + host);
    }

    /* As in an application that creates the driver's factory itself. */
    private <T> Mono<T> withReconnectingDriver(Function<Engine, Mono<T>> body) {
        return Mono.usingWhen(
                Mono.fromSupplier(() -> ReactiveEngineCache.builder()
                        .connectionFactory(options -> ConnectionFactories.get(sequential()))
                        .listener(units)
                        .build()),
                cache -> body.apply(cache.engine("r2dbc:proxy://host/shop?maxSize=1")),
                ReactiveEngineCache::close);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void transactionSilentlyLostByDriverIsNotCommitted(boolean inSavepoint) {
        StepVerifier.create(withReconnectingDriver(engine -> engine.unitOfWork()
                        .execute(work -> insert(work, "a")
                                .then(loseConnection(work))
                                .then(inSavepoint ? work.savepoint(inner -> insert(inner, "b")) : insert(work, "b"))
                                .onErrorReturn(R2dbcException.class, 0L)
                                .then(insert(work, "c").onErrorReturn(0L)))))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(UnexpectedRollbackException.class)
                        .hasCauseInstanceOf(R2dbcException.class))
                .verify(LONG);

        assertThat(items()).isEmpty();
        assertThat(units.events()).containsExactly("began", "rolled back", "connection discarded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequential", "loadbalance"})
    void engineConnectionsNeverSwitchSession(String mode) {
        Engine many = engines.engine(sequential().replace("sequential", mode) + "?maxSize=1");
        String setting = "select cast(coalesce(@tenant, 'none') as char)";

        StepVerifier.create(Mono.usingWhen(
                        many.connectionFactory().create(),
                        connection -> text(connection, "set @tenant = 'a'")
                                .then(text(connection, "select cast(connection_id() as char)"))
                                .flatMap(id -> database.execute("kill " + id))
                                .then(text(connection, setting)),
                        connection -> connection.close()))
                .expectError(R2dbcException.class)
                .verify(LONG);
        StepVerifier.create(many.sql(setting).map(String.class).one())
                .expectNext("none")
                .expectComplete()
                .verify(LONG);
    }

    private static Mono<String> text(Connection connection, String sql) {
        return Flux.from(connection.createStatement(sql).execute())
                .concatMap(result -> result.map(row -> String.valueOf(row.get(0))))
                .next();
    }

    @Test
    void statementOutlivingItsUnitIsTerminatedAfterGraceTime() {
        String running = "select count(*) from information_schema.processlist where info = 'select sleep(60)'";

        StepVerifier.create(unit().graceTime(SHORT)
                        .execute(work -> insert(work, "a")
                                .then(cancelledWhileRunning(
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
