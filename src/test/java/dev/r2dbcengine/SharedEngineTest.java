package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Sql;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Concurrent subscribers share one engine; {@code NaiveEnginesTest} shows the race that the cache prevents. */
class SharedEngineTest {
    private static final int SUBSCRIBERS = 64;
    private static final int ROUNDS = Proof.rounds(30, 1000);
    private static final String URL = "r2dbc:h2:mem:///";

    @Nested
    class ConcurrentUsersShareOneEngine {
        @Test
        void factoryIsCalledOnceAndAllSubscribersGetOnePool() {
            try (Race race = new Race(SUBSCRIBERS)) {
                for (int round = 0; round < ROUNDS; round++) {
                    AtomicInteger factories = new AtomicInteger();
                    ReactiveEngineCache cache = ReactiveEngineCache.builder()
                            .connectionFactory(options -> {
                                factories.incrementAndGet();
                                return ConnectionFactories.get(options);
                            })
                            .build();
                    List<ConnectionPool> pools = race.run(i -> i % 2 == 0
                            ? cache.pool(URL)
                            : cache.engine("r2dbc:pool:h2:mem://?maxSize=10").pool());

                    assertThat(new HashSet<>(pools)).hasSize(1);
                    assertThat(factories).hasValue(1);
                    assertThat(cache.engines()).hasSize(1);
                    StepVerifier.create(cache.close()).verifyComplete();
                }
            }
        }
    }

    @Nested
    class AllSeeOneDatabase {
        @Test
        void tableCreatedByOneSubscriberIsVisibleToAll() {
            try (Race race = new Race(SUBSCRIBERS)) {
                for (int round = 0; round < ROUNDS; round++) {
                    ReactiveEngineCache cache = ReactiveEngineCache.create();
                    List<ConnectionPool> pools = race.run(i -> cache.pool(URL));
                    StepVerifier.create(Sql.execute(pools.get(0), "create table t (id int)"))
                            .verifyComplete();

                    Flux<Long> counts = Flux.fromIterable(pools)
                            .concatMap(pool -> Sql.execute(pool, "insert into t values (1)")
                                    .then(Sql.number(pool, "select count(*) from t")));

                    StepVerifier.create(counts)
                            .expectNextCount(SUBSCRIBERS - 1)
                            .expectNext(64L)
                            .verifyComplete();
                    StepVerifier.create(cache.close()).verifyComplete();
                }
            }
        }
    }

    @Nested
    class CreationHappensOnceWhileOthersWait {
        @Test
        void subscribersDuringOpeningWaitForTheSamePool() {
            FakeDriver driver = new FakeDriver();
            FakeGate gate = driver.on(Call.CREATE).times(1).waits();
            AtomicInteger factories = new AtomicInteger();
            ReactiveEngineCache cache = ReactiveEngineCache.builder()
                    .connectionFactory(options -> {
                        factories.incrementAndGet();
                        return driver;
                    })
                    .build();
            Mono<List<ConnectionPool>> waiting = Flux.range(0, SUBSCRIBERS)
                    .flatMap(i -> cache.pool("r2dbc:fake://host/db"), SUBSCRIBERS)
                    .collectList()
                    .cache();
            waiting.subscribe();
            StepVerifier.create(gate.reached()).expectComplete().verify(Duration.ofSeconds(10));
            assertThat(cache.engines())
                    .singleElement()
                    .extracting(EngineStatus::state)
                    .isEqualTo(EngineStatus.State.OPENING);

            gate.release();

            StepVerifier.create(waiting)
                    .assertNext(pools -> assertThat(new HashSet<>(pools)).hasSize(1))
                    .verifyComplete();
            assertThat(factories).hasValue(1);
            assertThat(driver.createdConnections()).isEqualTo(1);
        }
    }

    @Nested
    class OpenEngine {
        private final ReactiveEngineCache cache = ReactiveEngineCache.create();

        @Test
        void openPoolIsEmittedSynchronouslyOnRequest() {
            Mono<ConnectionPool> held = cache.pool(URL);
            ConnectionPool pool = Objects.requireNonNull(held.block());

            StepVerifier.create(held, 0)
                    .expectSubscription()
                    .expectNoEvent(Duration.ofMillis(1))
                    .thenRequest(1)
                    .expectNext(pool)
                    .verifyComplete();
            assertThat(cache.pool(URL)).isSameAs(held);
            StepVerifier.create(cache.close()).verifyComplete();
        }

        @Test
        void blockReturnsOpenPoolOnNonBlockingThread() {
            Mono<ConnectionPool> held = cache.pool(URL);
            ConnectionPool pool = Objects.requireNonNull(held.block(Duration.ofSeconds(10)));

            Mono<List<ConnectionPool>> onEventLoop = Mono.fromCallable(() -> List.of(
                            Objects.requireNonNull(held.block()),
                            Objects.requireNonNull(held.block(Duration.ofSeconds(1)))))
                    .subscribeOn(Schedulers.parallel());

            StepVerifier.create(onEventLoop).expectNext(List.of(pool, pool)).verifyComplete();
            StepVerifier.create(cache.close()).verifyComplete();
        }

        @Test
        void moreUrlsThanLookupBoundShareOneEngine() {
            ReactiveEngineCache many = ReactiveEngineCache.builder()
                    .settings(EngineSettings.builder().connectOnOpen(false).build())
                    .connectionFactory(options -> new FakeDriver())
                    .build();

            Flux<ConnectionPool> spellings = Flux.range(1, 1100)
                    .concatMap(zeros -> many.pool("r2dbc:fake://host/db?maxSize=" + "0".repeat(zeros) + "4"));

            StepVerifier.create(spellings.distinct()).expectNextCount(1).verifyComplete();
            assertThat(many.engines()).hasSize(1);
        }
    }
}
