package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Sql;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The initializer runs once for each opening, before any subscriber gets the engine. */
class InitializerTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String A = "r2dbc:fake://host/a";
    private static final String B = "r2dbc:fake://host/b";

    private final FakeDriver driver = new FakeDriver();
    private ReactiveEngineCache cache = ReactiveEngineCache.create();

    private ReactiveEngineCache fake(Function<Engine, Publisher<?>> initializer) {
        cache = ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .initializer(initializer)
                .build();
        return cache;
    }

    @Test
    void failureIsNotReportedAsOneOfTheConnection() {
        R2dbcException denied = new R2dbcPermissionDeniedException("not your table", "42501");
        StepVerifier.create(fake(engine -> Mono.error(denied)).engine(A).open())
                .expectErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(EngineOpenException.class)
                        .hasMessage("Cannot open r2dbc:fake://host/a: its initializer failed"
                                + " (R2dbcPermissionDeniedException). The cause says more")
                        .hasCause(denied))
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void neverEndingOneIsCancelledAtTheCloseTimeoutAndTheNextSubscriberOpensTheEngine() {
        AtomicInteger runs = new AtomicInteger();
        TestPublisher<Void> endless = TestPublisher.create();
        Sinks.Empty<Void> begun = Sinks.empty();
        ReactiveEngineCache closing = ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .initializer(engine -> runs.getAndIncrement() == 0
                        ? endless.mono().doOnSubscribe(start -> begun.tryEmitEmpty())
                        : Mono.empty())
                .closeTimeout(Duration.ofMillis(20))
                .build();
        Mono<Void> waiting = closing.engine(A).open().cache();
        waiting.subscribe(null, error -> {});
        begun.asMono().block(Duration.ofSeconds(10));

        StepVerifier.create(closing.engine(A).close()).verifyComplete();

        endless.assertCancelled();
        StepVerifier.create(waiting)
                .expectErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(EngineOpenException.class)
                        .hasMessageContaining("did not end within PT0.02S, was cancelled; see closeTimeout(…)"))
                .verify(Duration.ofSeconds(10));
        StepVerifier.create(closing.engine(A).open().then(closing.close())).verifyComplete();
        assertThat(driver.openConnections()).isZero();
    }

    @Test
    void runsOnceAndItsSchemaIsVisibleToAll() {
        try (Race race = new Race(64)) {
            for (int round = 0; round < Proof.rounds(10, 1000); round++) {
                AtomicInteger runs = new AtomicInteger();
                ReactiveEngineCache migrated = ReactiveEngineCache.builder()
                        .initializer(engine -> engine.pool().flatMap(pool -> {
                            runs.incrementAndGet();
                            return Sql.execute(pool, "create table t as select 7 as n");
                        }))
                        .build();

                List<Long> seen = race.run(
                        i -> migrated.pool("r2dbc:h2:mem:///").flatMap(pool -> Sql.number(pool, "select n from t")));

                assertThat(seen).hasSize(64).containsOnly(7L);
                assertThat(runs).hasValue(1);
                StepVerifier.create(migrated.close()).verifyComplete();
            }
        }
    }

    @Test
    void failureClosesPoolAndReachesAllSubscribers() {
        AtomicInteger runs = new AtomicInteger();
        fake(engine -> engine.ping()
                .then(runs.incrementAndGet() == 1 ? Mono.error(new IllegalStateException("no")) : Mono.empty()));
        FakeGate gate = driver.on(Call.CREATE).times(1).waits();
        Mono<List<Throwable>> failures = Flux.range(0, 64)
                .flatMap(i -> cache.engine(A).open().cast(Throwable.class).onErrorResume(Mono::just), 64)
                .collectList()
                .cache();
        failures.subscribe();
        StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

        gate.release();

        StepVerifier.create(failures)
                .assertNext(errors -> assertThat(errors)
                        .hasSize(64)
                        .allSatisfy(error -> assertThat(error)
                                .isInstanceOf(EngineOpenException.class)
                                .hasRootCauseMessage("no")))
                .verifyComplete();
        assertThat(driver.openConnections()).isZero();
        StepVerifier.create(cache.engine(A).open()).verifyComplete();
        assertThat(runs).hasValue(2);
    }

    @Test
    void receivesEngineThatIsOpening() {
        List<Object> given = new CopyOnWriteArrayList<>();
        fake(engine -> engine.pool().doOnNext(given::add).then(engine.dialect()));

        StepVerifier.create(cache.pool(A))
                .assertNext(pool -> assertThat(given).containsExactly(pool))
                .verifyComplete();
    }

    @Test
    void closingItsEngineFails() {
        fake(Engine::close);

        StepVerifier.create(cache.engine(A).open())
                .verifyErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(EngineOpenException.class)
                        .cause()
                        .hasMessageContaining("An initializer cannot close"));
    }

    @Test
    void contextOfSubscriberDoesNotReachInitializer() {
        List<ContextView> contexts = new CopyOnWriteArrayList<>();
        fake(engine -> Mono.deferContextual(context -> {
            contexts.add(context);
            return Mono.empty();
        }));

        StepVerifier.create(cache.engine(A).open().contextWrite(Context.of("tenant", "ada")))
                .verifyComplete();

        assertThat(contexts).singleElement().satisfies(context -> {
            assertThat(context.hasKey("tenant")).isFalse();
            assertThat(context.size()).isOne();
        });
    }

    @Test
    void waitingForOwnEngineFailsWithChain() {
        fake(engine -> cache.engine(A).open());

        StepVerifier.create(cache.engine(A).open())
                .expectErrorSatisfies(error -> assertCycle(error, A, A))
                .verify(LONG);
        assertThat(driver.openConnections()).isZero();
    }

    @Test
    void waitingForOwnEngineIndirectlyFailsWithChain() {
        ReactiveEngineCache[] self = new ReactiveEngineCache[1];
        self[0] = chained(self, url -> url.equals(A) ? B : A);

        StepVerifier.create(self[0].engine(A).open())
                .expectErrorSatisfies(error -> assertCycle(error, B, A, B))
                .verify(LONG);
        assertThat(self[0].engines()).isEmpty();
    }

    /** Creates a cache in which the initializer of each engine opens another engine. */
    private ReactiveEngineCache chained(ReactiveEngineCache[] self, Function<String, String> next) {
        return ReactiveEngineCache.builder()
                .connectionFactory(options -> new FakeDriver("r2dbc:fake://host/"
                        + options.getRequiredValue(io.r2dbc.spi.ConnectionFactoryOptions.DATABASE)))
                .initializer(engine -> engine.pool()
                        .flatMap(pool -> self[0].engine(
                                        next.apply(pool.getMetadata().getName()))
                                .open()))
                .build();
    }

    private static void assertCycle(Throwable error, String... chain) {
        assertThat(error)
                .isInstanceOfSatisfying(
                        EngineCycleException.class,
                        assertCycle -> assertThat(assertCycle.chain()).containsExactly(chain))
                .hasMessageContaining(String.join(" -> ", chain));
    }

    @Test
    void mutuallyWaitingInitializersFail() {
        try (Race race = new Race(2)) {
            HashSet<String> outcomes = new HashSet<>();
            for (int round = 0; round < Proof.rounds(200, 5000); round++) {
                ReactiveEngineCache[] self = new ReactiveEngineCache[1];
                self[0] = chained(self, url -> url.equals(A) ? B : A);

                List<String> outcomesOfRound = race.run(i -> self[0].engine(i == 0 ? A : B)
                        .open()
                        .thenReturn("open")
                        .onErrorResume(EngineCycleException.class, error -> Mono.just("cycle"))
                        .timeout(LONG));

                outcomes.addAll(outcomesOfRound);
                assertThat(self[0].engines()).isEmpty();
            }
            assertThat(outcomes).containsExactly("cycle");
        }
    }

    @Test
    void mayUseOtherEngines() {
        fake(engine -> engine.pool()
                .map(pool -> cache.engines().size())
                .flatMap(engines -> engines == 1
                        ? cache.engine(B).ping().then(cache.engine(B).ping())
                        : Mono.empty()));

        StepVerifier.create(cache.engine(A).open()).expectComplete().verify(LONG);
        assertThat(cache.engines()).hasSize(2);
    }
}
