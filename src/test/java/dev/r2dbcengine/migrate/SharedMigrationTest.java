package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Race;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** The fault that the cache exists to end, with both its consumers: what migrations create, every unit of work sees. */
class SharedMigrationTest {
    private static final int RACERS = 64;
    private static final String URL = "r2dbc:h2:mem:///?options=LOCK_TIMEOUT=10000";
    private static final MemorySource SCRIPTS = new MemorySource(Map.of(
            "V1__t.sql", "create table t(a int);\ninsert into t values (1);",
            "V2__more.sql", "insert into t values (2);",
            "R__again.sql", "insert into t values (3);"));

    /** The observations of one racer: the pool, the migrations it applied, and the rows that its unit read after a migration. */
    private record Seen(ConnectionPool pool, List<Executed> applied, long rows) {}

    /** One half migrates, the other half works; neither knows of the other but by the URL. */
    private record Round(
            Function<String, Engine> migrating, Function<String, Engine> working, Sinks.Empty<Void> migrated) {
        Round(Function<String, Engine> migrating, Function<String, Engine> working) {
            this(migrating, working, Sinks.empty());
        }

        Mono<Seen> racer(int number) {
            return number % 2 == 0 ? runner(migrating.apply(URL)) : unit(working.apply(URL));
        }

        private Mono<Seen> runner(Engine engine) {
            return MigrationRunner.on(engine)
                    .locations()
                    .sources(SCRIPTS)
                    .migrate()
                    .doFinally(end -> migrated.tryEmitEmpty())
                    .flatMap(report -> look(engine, report.applied()));
        }

        private Mono<Seen> unit(Engine engine) {
            return engine.unitOfWork()
                    .execute(work -> work.sql("select 1").map(Integer.class).one())
                    .then(migrated.asMono())
                    .then(look(engine, List.of()));
        }

        private static Mono<Seen> look(Engine engine, List<Executed> applied) {
            Mono<Long> rows = engine.unitOfWork()
                    .execute(work ->
                            work.sql("select count(*) from t").map(Long.class).one());
            return rows.flatMap(count -> engine.pool().map(pool -> new Seen(pool, applied, count)));
        }
    }

    @Test
    void racingRunnersAndUnitsShareOneEngine() {
        int rounds = Proof.rounds(20, 1000);
        try (Race race = new Race(RACERS)) {
            for (int i = 0; i < rounds; i++) {
                AtomicInteger factories = new AtomicInteger();
                ReactiveEngineCache engines = ReactiveEngineCache.builder()
                        .connectionFactory(options -> {
                            factories.incrementAndGet();
                            return ConnectionFactories.get(options);
                        })
                        .build();
                List<Seen> seen = race.run(new Round(engines::engine, engines::engine)::racer);

                assertThat(factories).hasValue(1);
                assertThat(seen.stream().map(Seen::pool).distinct()).hasSize(1);
                assertThat(seen.stream().map(Seen::rows)).hasSize(RACERS).containsOnly(3L);
                assertThat(seen.stream().flatMap(one -> one.applied().stream()))
                        .extracting(done -> done.migration().script())
                        .containsExactly("V1__t.sql", "V2__more.sql", "R__again.sql");
                StepVerifier.create(engines.close()).verifyComplete();
            }
        }
        Proof.figure(rounds + " rounds of 32 runners and 32 units on a cold in-memory URL: one engine in each");
    }

    /** Wrong on purpose: looks whether there is an engine, makes one if not, and only then keeps it. */
    private record Naive(Map<String, Engine> engines, Queue<ReactiveEngineCache> made) {
        Engine engine(String url) {
            Engine known = engines.get(url);
            if (known != null) {
                return known;
            }
            ReactiveEngineCache own = ReactiveEngineCache.create();
            made.add(own);
            Engine engine = own.engine(url);
            engine.open().block();
            engines.put(url, engine);
            return engine;
        }
    }

    /** Whether a racer failed or had another pool than the rest. */
    private static boolean isFaulty(Race race, Map<String, Engine> ofRunners, Map<String, Engine> ofUnits) {
        Queue<ReactiveEngineCache> made = new ConcurrentLinkedQueue<>();
        AtomicInteger blind = new AtomicInteger();
        Round round = new Round(new Naive(ofRunners, made)::engine, new Naive(ofUnits, made)::engine);
        List<Seen> seen = race.run(number -> round.racer(number)
                .onErrorResume(R2dbcException.class, e -> Mono.fromRunnable(blind::incrementAndGet)));
        StepVerifier.create(Flux.fromIterable(made).flatMap(ReactiveEngineCache::close))
                .expectComplete()
                .verify(Duration.ofSeconds(60));
        return blind.get() > 0 || new HashSet<>(seen.stream().map(Seen::pool).toList()).size() > 1;
    }

    @Test
    void checkThenActMapDuplicatesEngines() {
        try (Race race = new Race(RACERS)) {
            int rounds = 1;
            for (Map<String, Engine> engines = new ConcurrentHashMap<>();
                    !isFaulty(race, engines, engines) && rounds < 100;
                    rounds++) {
                engines = new ConcurrentHashMap<>();
            }
            assertThat(rounds).as("rounds until the fault").isLessThan(100);
            Proof.figure("one naive map for both: a fault in round " + rounds);
        }
    }

    @Test
    void separateMapsDuplicateEngines() {
        try (Race race = new Race(RACERS)) {
            assertThat(isFaulty(race, new ConcurrentHashMap<>(), new ConcurrentHashMap<>()))
                    .isTrue();
        }
    }
}
