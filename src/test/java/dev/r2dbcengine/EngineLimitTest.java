package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.work.BoundConnections;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

/** A bounded number of engines for many tenants. */
class EngineLimitTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final FakeDriver driver = new FakeDriver();
    private final List<String> events = new CopyOnWriteArrayList<>();

    private ReactiveEngineCache cache(UnaryOperator<ReactiveEngineCache.Builder> more) {
        return more.apply(ReactiveEngineCache.builder()
                        .connectionFactory(options -> driver)
                        .listener(new Recorder(events)))
                .build();
    }

    private static String tenant(int i) {
        return "r2dbc:fake://host/tenant" + i;
    }

    @Nested
    class MaxEngines {
        private final ReactiveEngineCache cache = cache(builder -> builder.maxEngines(2));

        private Connection acquire(int tenant) {
            return Objects.requireNonNull(
                    cache.pool(tenant(tenant)).flatMap(ConnectionPool::create).block(LONG));
        }

        private void use(int tenant) {
            StepVerifier.create(cache.engine(tenant(tenant)).ping()).verifyComplete();
        }

        @Test
        void leastRecentlyUsedEngineIsEvicted() {
            VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
            try {
                ReactiveEngineCache timed = cache(builder -> builder.maxEngines(2));
                for (int next : new int[] {1, 2, 1, 3}) {
                    Mono<Void> ping = timed.engine(tenant(next)).ping().cache();
                    ping.subscribe();
                    time.advanceTimeBy(Duration.ofMillis(10));
                    StepVerifier.create(ping).verifyComplete();
                }
                assertThat(events)
                        .containsSubsequence("evicted " + tenant(2), "closed " + tenant(2), "opened " + tenant(3));
            } finally {
                VirtualTimeScheduler.reset();
            }
        }

        @Test
        void enginesInUseAreKeptAndErrorExplains() {
            Connection one = acquire(1);
            Connection two = acquire(2);

            StepVerifier.create(cache.engine(tenant(3)).open())
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOfSatisfying(
                                    EngineLimitException.class,
                                    limit -> assertThat(limit.limit()).isEqualTo(2))
                            .hasMessageContaining(tenant(3))
                            .hasMessageContaining("maxEngines"));

            assertThat(events).noneMatch(event -> event.startsWith("evicted"));
            StepVerifier.create(one.close()).verifyComplete();
            use(3);
            StepVerifier.create(two.close()).verifyComplete();
        }

        @Test
        void closingEngineIsAwaited() {
            use(1);
            Connection two = acquire(2);
            Connection one = acquire(1);
            Mono<Void> closing = cache.engine(tenant(1)).close().cache();
            closing.subscribe();

            StepVerifier.create(cache.engine(tenant(3)).open())
                    .expectSubscription()
                    .expectNoEvent(Duration.ofMillis(20))
                    .then(() -> StepVerifier.create(one.close()).verifyComplete())
                    .expectComplete()
                    .verify(LONG);
            StepVerifier.create(two.close()).verifyComplete();
        }

        @Test
        void failedOpeningReleasesItsPermit() {
            driver.on(dev.r2dbcengine.testing.Call.CREATE).times(5).fails(new IllegalStateException("away"));
            for (int i = 0; i < 5; i++) {
                StepVerifier.create(cache.engine(tenant(i)).open()).verifyError(EngineOpenException.class);
            }

            use(7);
            use(8);
            assertThat(cache.engines()).hasSize(2);
        }

        @Test
        void inMemoryEnginesAreNotEvicted() {
            ReactiveEngineCache one =
                    ReactiveEngineCache.builder().maxEngines(1).build();
            StepVerifier.create(one.engine("r2dbc:h2:mem:///").ping()).verifyComplete();

            StepVerifier.create(one.engine("r2dbc:h2:mem:///limited").open()).verifyError(EngineLimitException.class);
            StepVerifier.create(one.close()).verifyComplete();
        }

        @Tag("thousand")
        @Test
        void thousandTenantsShareFiftyEnginesWithoutFailure() {
            AtomicInteger open = new AtomicInteger();
            AtomicInteger maximum = new AtomicInteger();
            ReactiveEngineCache busy = ReactiveEngineCache.builder()
                    .connectionFactory(options -> driver)
                    .maxEngines(50)
                    .settings(EngineSettings.builder().maxSize(2).build())
                    .listener(new EngineListener() {
                        @Override
                        public void opened(String url, Duration duration) {
                            maximum.accumulateAndGet(open.incrementAndGet(), Math::max);
                        }

                        @Override
                        public void closed(String url) {
                            open.decrementAndGet();
                        }
                    })
                    .build();
            Engine tenants = busy.engine("fake", context -> tenant(context.get("tenant")));
            Flux<Long> requests = Flux.range(0, 20_000)
                    .flatMap(
                            i -> tenants.ping()
                                    .thenReturn(1L)
                                    .subscribeOn(Schedulers.parallel())
                                    .contextWrite(Context.of(
                                            "tenant",
                                            ThreadLocalRandom.current().nextInt(1000))),
                            40);

            StepVerifier.create(requests.count())
                    .expectNext(20_000L)
                    .expectComplete()
                    .verify(LONG);

            assertThat(maximum.get()).isBetween(40, 50);
            assertThat(busy.engines()).hasSizeLessThanOrEqualTo(50);
            StepVerifier.create(busy.close()).expectComplete().verify(LONG);
            assertThat(driver.openConnections()).isZero();
            assertThat(driver.violations()).isEmpty();
        }

        @Test
        void limitExceededByEnginesInUseFailsWithClearError() {
            ReactiveEngineCache fifty = cache(builder -> builder.maxEngines(50));
            Flux<Connection> sixty =
                    Flux.range(0, 60).concatMap(i -> fifty.pool(tenant(i)).flatMap(ConnectionPool::create));

            StepVerifier.create(sixty)
                    .expectNextCount(50)
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineLimitException.class)
                            .hasMessageContaining("holds its 50 engines (maxEngines)"));
        }
    }

    @Nested
    class IdleTimeout {
        @Test
        void closesIdleEngineAndKeepsEngineInUse() {
            VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
            try {
                ReactiveEngineCache cache = cache(builder -> builder.idleTimeout(Duration.ofMinutes(10)));
                Mono<Void> first = cache.engine(tenant(1)).ping().cache();
                Mono<Connection> second =
                        cache.pool(tenant(2)).flatMap(ConnectionPool::create).cache();
                first.subscribe();
                second.subscribe();
                time.advanceTimeBy(Duration.ofMinutes(6));
                Mono<Void> again = cache.engine(tenant(1)).ping().cache();
                again.subscribe();

                time.advanceTimeBy(Duration.ofMinutes(6));
                assertThat(events).noneMatch(event -> event.startsWith("evicted"));

                time.advanceTimeBy(Duration.ofMinutes(5));
                assertThat(events).endsWith("evicted " + tenant(1), "closed " + tenant(1));

                StepVerifier.create(second.flatMap(connection -> Mono.from(connection.close())))
                        .verifyComplete();
                time.advanceTimeBy(Duration.ofMinutes(20));
                assertThat(events).endsWith("evicted " + tenant(2), "closed " + tenant(2));
                assertThat(cache.engines()).isEmpty();
            } finally {
                VirtualTimeScheduler.reset();
            }
        }

        @Test
        void keepsInMemoryEngines() {
            VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
            try {
                ReactiveEngineCache cache = ReactiveEngineCache.builder()
                        .idleTimeout(Duration.ofMinutes(1))
                        .settings(EngineSettings.builder().connectOnOpen(false).build())
                        .build();
                Mono<ConnectionPool> pool = cache.pool("r2dbc:h2:mem:///").cache();
                pool.subscribe();
                time.advanceTimeBy(Duration.ofHours(1));

                assertThat(cache.engines()).hasSize(1);
                Mono<Void> closed = cache.close().cache();
                closed.subscribe();
                time.advanceTimeBy(Duration.ofHours(1));
                StepVerifier.create(closed).verifyComplete();
            } finally {
                VirtualTimeScheduler.reset();
            }
        }
    }

    @Nested
    class Tenants {
        private final ReactiveEngineCache cache = cache(builder -> builder);
        private final Engine tenants = cache.engine("fake", context -> tenant(context.get("tenant")));

        @Test
        void tenantsUseEnginesOfTheirUrls() {
            Mono<ConnectionPool> one = tenants.pool().contextWrite(Context.of("tenant", 1));
            Mono<ConnectionPool> two = tenants.pool().contextWrite(Context.of("tenant", 2));

            StepVerifier.create(Mono.zip(one, two, (a, b) -> a == b))
                    .expectNext(false)
                    .verifyComplete();
            StepVerifier.create(Mono.zip(one, cache.pool(tenant(1)), (a, b) -> a == b))
                    .expectNext(true)
                    .verifyComplete();
        }

        @Test
        void closeClosesEngineOfTenantInContext() {
            for (int i : new int[] {1, 2}) {
                StepVerifier.create(tenants.open().contextWrite(Context.of("tenant", i)))
                        .verifyComplete();
            }

            StepVerifier.create(tenants.close().contextWrite(Context.of("tenant", 1)))
                    .verifyComplete();

            assertThat(cache.engines()).extracting(EngineStatus::url).containsExactly(tenant(2));
        }

        @Test
        void missingTenantFailsSubscription() {
            StepVerifier.create(tenants.open()).verifyError(java.util.NoSuchElementException.class);
        }

        @Test
        void urlOfAnotherDriverIsRejected() {
            Engine postgres = cache.engine("postgres", context -> context.get("url"));

            StepVerifier.create(postgres.open().contextWrite(Context.of("url", "r2dbc:fake://host/db")))
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineOpenException.class)
                            .hasMessageContaining("of the driver 'postgresql'"));
        }

        @Test
        void settingsMayDependOnTheUrl() {
            ReactiveEngineCache bySize = cache(builder -> builder.settings(options -> EngineSettings.builder()
                    .maxSize(options.toString().contains("tenant1") ? 1 : 9)
                    .build()));
            StepVerifier.create(bySize.engine(tenant(1))
                            .open()
                            .then(bySize.engine(tenant(2)).open()))
                    .verifyComplete();

            assertThat(bySize.engines())
                    .extracting(status -> status.connections().maxSize())
                    .containsExactlyInAnyOrder(1, 9);
        }
    }

    @Nested
    class SecondLookup {
        @Test
        void operationDuringEvictionContinuesWithNewEngine() {
            ReactiveEngineCache cache = cache(builder -> builder);
            Engine engine = cache.engine(tenant(1));
            ConnectionPool pool = Objects.requireNonNull(engine.pool().block(LONG));
            AtomicInteger disposed = new AtomicInteger();
            // Simulates an eviction between the lookup and the acquisition.
            Engine late = Engine.of(
                    Mono.defer(() -> disposed.getAndIncrement() == 0
                            ? pool.disposeLater().thenReturn(pool)
                            : engine.pool()),
                    () -> "Fake",
                    context -> pool,
                    Mono.empty(),
                    Mono.empty(),
                    new Listeners(
                            EngineListener.DEFAULT, SqlListener.NONE, WorkListener.DEFAULT, BoundConnections.NONE));

            StepVerifier.create(late.ping()).verifyComplete();
        }
    }
}
