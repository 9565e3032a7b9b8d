package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.testing.WireTap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** BEGIN and SAVEPOINT share a round trip with the statement behind them. A proxy holds the answers of the server back. */
class PipelinedUnitsIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void beginAndFirstStatementAreSentTogether(Server server) throws Exception {
        inUnit(server, (engine, tap) -> {
            CompletableFuture<Long> unit = engine.unitOfWork()
                    .execute(work -> Mono.fromRunnable(tap::holdAnswers).then(insert(work, 1)))
                    .toFuture();
            assertThat(tap.await(2).get(0)).isEqualTo(server == Server.POSTGRESQL ? "Q 10" : "3 6");
            tap.passAnswers();
            assertThat(unit.get(20, TimeUnit.SECONDS)).isOne();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void savepointAndItsFirstStatementAreSentTogether(Server server) throws Exception {
        inUnit(server, (engine, tap) -> {
            CountDownLatch held = new CountDownLatch(1);
            CompletableFuture<Long> unit = engine.unitOfWork()
                    .execute(work -> insert(work, 1)
                            .then(Mono.fromRunnable(() -> {
                                tap.messages();
                                tap.holdAnswers();
                                held.countDown();
                            }))
                            .then(work.savepoint(inner -> insert(inner, 2))))
                    .toFuture();
            assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(tap.await(2)).hasSize(2);
            tap.passAnswers();
            assertThat(unit.get(20, TimeUnit.SECONDS)).isOne();
        });
    }

    private static Mono<Long> insert(Work work, int id) {
        return work.sql("insert into item values (:id)").bind("id", id).update();
    }

    /* On a warm engine, since a driver prepares statements in the first run, and reveals the database when it connects. */
    private static void inUnit(Server server, Body body) throws Exception {
        try (TestDatabase database = TestDatabase.fresh(server);
                WireTap tap = new WireTap(database)) {
            database.execute("create table item (id int)").block(LONG);
            ReactiveEngineCache engines = ReactiveEngineCache.builder()
                    .settings(EngineSettings.builder().maxSize(1).build())
                    .build();
            try {
                Engine engine = engines.engine(tap.url());
                engine.unitOfWork()
                        .execute(work -> insert(work, 0).then(work.savepoint(inner -> insert(inner, 0))))
                        .block(LONG);
                tap.messages();
                body.run(engine, tap);
            } finally {
                engines.close().block(LONG);
            }
        }
    }

    private interface Body {
        void run(Engine engine, WireTap tap) throws Exception;
    }
}
