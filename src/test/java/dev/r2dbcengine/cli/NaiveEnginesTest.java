package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Sql;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.R2dbcBadGrammarException;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** A check-then-act map lacks the guarantees of the cache that {@code SharedEngineTest} tests. */
class NaiveEnginesTest {
    @Test
    void concurrentSubscribersGetSeparateEnginesAndDatabases() {
        try (Race race = new Race(64)) {
            for (int round = 0; round < 100; round++) {
                NaiveEngines naive = new NaiveEngines();
                List<ConnectionPool> pools = race.run(i -> naive.pool("r2dbc:h2:mem:///"));
                boolean fault = naive.made() > 1 && new HashSet<>(pools).size() > 1;
                if (fault) {
                    Flux<Void> inserts = Sql.execute(pools.get(0), "create table t (id int)")
                            .thenMany(Flux.fromIterable(pools)
                                    .concatMap(pool -> Sql.execute(pool, "insert into t values (1)")));
                    StepVerifier.create(inserts).verifyError(R2dbcBadGrammarException.class);
                    StepVerifier.create(naive.close()).verifyComplete();
                    return;
                }
                StepVerifier.create(naive.close()).verifyComplete();
            }
        }
        assertThat(false).as("two engines in 100 races of 64").isTrue();
    }
}
