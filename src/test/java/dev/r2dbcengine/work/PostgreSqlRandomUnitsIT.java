package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class PostgreSqlRandomUnitsIT extends RandomUnitsContract {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** All that a pool has by default. */
    private static final int CONNECTIONS = 10;

    private final ReactiveEngineCache engines =
            ReactiveEngineCache.builder().listener(QUIET).build();
    private TestDatabase database;
    private Engine engine;

    @BeforeEach
    @SuppressWarnings("NullAway.Init")
    void open() {
        database = TestDatabase.fresh(Server.POSTGRESQL);
        database.execute(
                        "create table item (name text primary key)",
                        "create table number (n bigint)",
                        "insert into number select generate_series(0, " + (RandomTree.NUMBERS - 1) + ")")
                .block(LONG);
        engine = engines.engine(database.url());
    }

    @AfterEach
    void close() {
        engines.close().block(LONG);
        database.close();
    }

    @Override
    ReactiveEngineCache engines() {
        return engines;
    }

    @Override
    Engine engine() {
        return engine;
    }

    @Override
    int trees() {
        return Proof.rounds(100, 2_000);
    }

    @Override
    boolean failuresAbort() {
        return true;
    }

    @Override
    Mono<List<String>> rows(long seed) {
        return engine.sql("select name from item where name like :tree")
                .bind("tree", seed + "-%")
                .map(String.class)
                .all()
                .collectList();
    }

    @Override
    void assertClean() {
        assertThat(Flux.range(0, CONNECTIONS)
                        .flatMap(
                                i -> engine.sql("select concat_ws(' ', current_setting('lock_timeout'), state,"
                                                + " pg_sleep(0.2)) from pg_stat_activity where pid = pg_backend_pid()")
                                        .map(String.class)
                                        .one(),
                                CONNECTIONS)
                        .map(String::strip)
                        .distinct()
                        .collectList()
                        .block(LONG))
                .containsExactly("0 active");
        assertThat(database.query(
                                "select count(*) from pg_stat_activity where datname = current_database() and state like"
                                        + " 'idle in transaction%'",
                                Long.class)
                        .block(LONG))
                .containsExactly(0L);
    }
}
