package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** The contract on real databases. */
abstract class DatabaseRandomUnitsContract extends RandomUnitsContract {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int CONNECTIONS = 10;

    private final Server server;
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .settings(EngineSettings.builder().maxSize(CONNECTIONS).build())
            .listener(QUIET)
            .build();
    private TestDatabase database;
    private Engine engine;
    private List<String> settings;

    @SuppressWarnings("NullAway.Init") // before each test
    DatabaseRandomUnitsContract(Server server) {
        this.server = server;
    }

    @BeforeEach
    void open() {
        database = TestDatabase.fresh(server).keepAlive();
        database.execute(
                        "create table item (name varchar(60) primary key)",
                        "create table number (n bigint)",
                        "insert into number values "
                                + IntStream.range(0, RandomTree.NUMBERS)
                                        .mapToObj(n -> "(" + n + ")")
                                        .collect(Collectors.joining(", ")))
                .block(LONG);
        engine = engines.engine(database.url());
        settings = Sessions.settings(server, engine, CONNECTIONS);
    }

    @AfterEach
    void close() {
        StepVerifier.create(engines.close()).expectComplete().verify(LONG);
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
        return Proof.rounds(server == Server.POSTGRESQL ? 100 : 50, 2_000);
    }

    @Override
    boolean failuresAbort() {
        return server == Server.POSTGRESQL;
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
        assertThat(Sessions.settings(server, engine, CONNECTIONS)).isEqualTo(settings);
        assertThat(database.query(Sessions.openTransactions(server), Long.class).block(LONG))
                .containsExactly(0L);
    }
}
