package dev.r2dbcengine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.R2dbcException;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** The behaviour of a {@link TestDatabase} on each server. */
interface TestDatabaseContract {
    Server server();

    private TestDatabase fresh() {
        return TestDatabase.fresh(server()).keepAlive();
    }

    private static Mono<Connection> connect(String url) {
        return Mono.defer(() -> Mono.fromDirect(ConnectionFactories.get(url).create()));
    }

    private static Mono<Void> run(String url, String sql) {
        return Mono.usingWhen(
                connect(url),
                connection -> Flux.from(connection.createStatement(sql).execute())
                        .concatMap(result -> result.getRowsUpdated())
                        .then(),
                Connection::close);
    }

    @Test
    default void executesAndQueriesOverItsUrl() {
        try (TestDatabase database = fresh()) {
            StepVerifier.create(database.execute("create table t (id bigint, name varchar(20))"))
                    .verifyComplete();
            StepVerifier.create(run(database.url(), "insert into t values (1, 'a')"))
                    .verifyComplete();
            StepVerifier.create(database.execute("insert into t values (2, 'c;d')", "update t set id = id + 1"))
                    .verifyComplete();
            StepVerifier.create(database.query("select id from t order by id", Long.class))
                    .expectNext(List.of(2L, 3L))
                    .verifyComplete();
            StepVerifier.create(database.query("select name from t order by id", String.class))
                    .expectNext(List.of("a", "c;d"))
                    .verifyComplete();
        }
    }

    @Test
    default void isIsolatedFromOtherDatabases() {
        try (TestDatabase one = fresh();
                TestDatabase other = fresh()) {
            StepVerifier.create(one.execute("create table t (id int)")).verifyComplete();
            StepVerifier.create(other.query("select id from t", Integer.class)).verifyError(R2dbcException.class);
            assertThat(one.name()).isNotEqualTo(other.name());
        }
    }

    @Test
    default void isDroppedDespiteOpenConnection() {
        TestDatabase database = fresh();
        StepVerifier.create(database.execute("create table t (id int)", "insert into t values (1)"))
                .verifyComplete();
        StepVerifier.create(connect(database.url())
                        .delayUntil(Connection::beginTransaction)
                        .delayUntil(connection -> Flux.from(connection
                                        .createStatement("update t set id = 2")
                                        .execute())
                                .concatMap(result -> result.getRowsUpdated())))
                .expectNextCount(1)
                .verifyComplete();
        database.close();
        StepVerifier.create(run(database.url(), "update t set id = 3")).verifyError(R2dbcException.class);
        database.close();
    }

    @Test
    default void countsTheSessionsOfOthers() {
        try (TestDatabase database = fresh()) {
            StepVerifier.create(database.sessionsSettlingAt(0)).expectNext(0).verifyComplete();
            Mono<Integer> counted = Mono.usingWhen(
                    connect(database.url()),
                    one -> Mono.usingWhen(connect(database.url()), two -> database.sessions(), Connection::close),
                    Connection::close);
            StepVerifier.create(counted).expectNext(2).verifyComplete();
            StepVerifier.create(database.sessionsSettlingAt(0)).expectNext(0).verifyComplete();
        }
    }

    @Test
    default void acceptsOnlyCorrectPassword() {
        try (TestDatabase database = fresh()) {
            String user = "app" + database.name();
            StepVerifier.create(database.createUser(user, "o'ne@/1")).verifyComplete();
            StepVerifier.create(run(database.url(user, "o'ne@/1"), "create table t (id int)"))
                    .verifyComplete();
            StepVerifier.create(run(database.url(user, "wrong"), "select 1")).verifyError(R2dbcException.class);
            StepVerifier.create(run(database.url(user, ""), "select 1")).verifyError();
        }
    }

    @Test
    default void changesAPassword() {
        try (TestDatabase database = fresh()) {
            String user = "app" + database.name();
            StepVerifier.create(database.createUser(user, "one")).verifyComplete();
            StepVerifier.create(database.changePassword(user, "two")).verifyComplete();
            StepVerifier.create(run(database.url(user, "one"), "select 1")).verifyError(R2dbcException.class);
            StepVerifier.create(run(database.url(user, "two"), "create table t (id int)"))
                    .verifyComplete();
        }
    }
}
