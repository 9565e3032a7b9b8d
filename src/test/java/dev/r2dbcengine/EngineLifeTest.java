package dev.r2dbcengine;

import static dev.r2dbcengine.EngineStatus.State.CLOSING;
import static dev.r2dbcengine.EngineStatus.State.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Race;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.pool.PoolShutdownException;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** The life of an engine from its first subscriber to its close, on the fake driver. */
class EngineLifeTest {
    private static final String URL = "r2dbc:fake://ada:s3cret@host/db";
    private static final Duration LONG = Duration.ofSeconds(10);

    private final FakeDriver driver = new FakeDriver();
    private final AtomicInteger factories = new AtomicInteger();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ReactiveEngineCache cache = cache(builder -> builder);
    private final Engine engine = cache.engine(URL);

    private ReactiveEngineCache cache(UnaryOperator<ReactiveEngineCache.Builder> more) {
        return more.apply(ReactiveEngineCache.builder()
                        .connectionFactory(options -> {
                            factories.incrementAndGet();
                            return driver;
                        })
                        .listener(new Recorder(events)))
                .build();
    }

    @AfterEach
    void driverWasUsedCorrectly() {
        assertThat(driver.violations()).isEmpty();
        assertThat(events).noneMatch(event -> event.contains("s3cret"));
    }

    private ConnectionPool open() {
        return Objects.requireNonNull(engine.pool().block(LONG));
    }

    private static Connection acquire(ConnectionPool pool) {
        return Objects.requireNonNull(pool.create().block(LONG));
    }

    /** A kept handle must not hold a closed engine, since applications may keep handles of removed tenants. */
    @Test
    void closedEngineIsGarbageCollected() {
        open();
        WeakReference<EngineEntry> entry =
                new WeakReference<>(cache.all().findFirst().orElseThrow());
        StepVerifier.create(engine.close()).verifyComplete();

        for (int i = 0; i < 50 && !entry.refersTo(null); i++) {
            System.gc();
        }

        assertThat(entry.refersTo(null)).isTrue();
        open();
        StepVerifier.create(cache.close()).verifyComplete();
    }

    @Nested
    class Opening {
        @Test
        void connectsOnceAndKeepsConnectionInPool() {
            open();

            assertThat(driver.calls()).containsExactly("1 create", "1 validate", "1 validate");
            assertThat(cache.engines())
                    .containsExactly(new EngineStatus(
                            "r2dbc:fake://ada@host/db",
                            OPEN,
                            new EngineStatus.Connections(0, 1, 0, 10),
                            java.util.Optional.empty()));
            assertThat(events).containsExactly("opened r2dbc:fake://ada@host/db");
        }

        @Test
        void withInitialSizeCreatesThatManyConnections() {
            ReactiveEngineCache eager = cache(builder ->
                    builder.settings(EngineSettings.builder().initialSize(3).build()));

            StepVerifier.create(eager.engine(URL).open()).verifyComplete();

            assertThat(driver.openConnections()).isEqualTo(3);
        }

        @Test
        void withoutConnectOnOpenConnectsOnFirstUse() {
            ReactiveEngineCache lazy = cache(builder -> builder.settings(
                    EngineSettings.builder().connectOnOpen(false).build()));
            driver.on(Call.CREATE).times(1).fails(new R2dbcTransientResourceException("away"));

            StepVerifier.create(lazy.engine(URL).open()).verifyComplete();
            assertThat(driver.createdConnections()).isZero();
            StepVerifier.create(lazy.engine(URL).ping()).verifyError(R2dbcTransientResourceException.class);
            StepVerifier.create(lazy.engine(URL).ping()).verifyComplete();
        }

        @Test
        void doesNotStartBeforeSubscription() {
            cache.pool(URL);
            engine.pool();
            engine.open();
            engine.close();

            assertThat(factories).hasValue(0);
            assertThat(cache.engines()).isEmpty();
        }

        @Test
        void isTriggeredByEachOperation() {
            for (Mono<?> operation :
                    List.of(engine.dialect(), engine.open(), engine.ping(), engine.openConnection(), engine.pool())) {
                factories.set(0);
                StepVerifier.create(operation.then(engine.close())).verifyComplete();
                assertThat(factories).hasValue(1);
            }
        }
    }

    @Nested
    class FailedOpening {
        private final RuntimeException away = new R2dbcTransientResourceException("host is away");

        @Test
        void isReportedToAllSubscribersAndNotCached() {
            FakeGate gate = driver.on(Call.CREATE).times(1).fails(away).waits();
            Mono<List<Throwable>> failures = Flux.range(0, 64)
                    .flatMap(i -> engine.open().cast(Throwable.class).onErrorResume(Mono::just), 64)
                    .collectList()
                    .cache();
            failures.subscribe();
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            gate.release();

            StepVerifier.create(failures)
                    .assertNext(
                            errors -> assertThat(errors).hasSize(64).hasOnlyElementsOfType(EngineOpenException.class))
                    .verifyComplete();
            assertThat(cache.engines()).isEmpty();
            assertThat(factories).hasValue(1);
        }

        @Test
        void isRetriedInErrorHandlerOfCaller() {
            driver.on(Call.CREATE).times(1).fails(away);

            Mono<Void> retried = engine.open().onErrorResume(EngineOpenException.class, error -> {
                assertThat(cache.engines()).isEmpty();
                return engine.open();
            });

            StepVerifier.create(retried).verifyComplete();
            assertThat(factories).hasValue(2);
            assertThat(events)
                    .containsExactly("openFailed r2dbc:fake://ada@host/db", "opened r2dbc:fake://ada@host/db");
        }

        @Test
        void isRetriedByManySubscribersAtOnce() {
            FakeGate gate = driver.on(Call.CREATE).times(1).fails(away).waits();
            AtomicInteger failures = new AtomicInteger();
            Mono<List<ConnectionPool>> retried = Flux.range(0, 64)
                    .flatMap(
                            i -> engine.pool().onErrorResume(error -> {
                                failures.incrementAndGet();
                                return engine.pool();
                            }),
                            64)
                    .distinct()
                    .collectList()
                    .cache();
            retried.subscribe();
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            gate.release();

            StepVerifier.create(retried)
                    .assertNext(pools -> assertThat(pools).hasSize(1))
                    .verifyComplete();
            assertThat(failures).hasValue(64);
            assertThat(factories).hasValue(2);
        }

        @Test
        void hasDriverErrorAsCauseAndOmitsItsMessage() {
            driver.on(Call.CREATE).times(1).fails(away);

            StepVerifier.create(engine.open())
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOfSatisfying(
                                    EngineOpenException.class,
                                    open -> assertThat(open.url()).isEqualTo("r2dbc:fake://ada@host/db"))
                            .hasCause(away)
                            .message()
                            .contains("r2dbc:fake://ada@host/db", "R2dbcTransientResourceException")
                            .doesNotContain("host is away", "s3cret"));
        }

        @Test
        void isReportedForEmptyDriverPublisher() {
            driver.on(Call.CREATE).times(1).completesEmpty();

            StepVerifier.create(engine.open())
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineOpenException.class)
                            .hasRootCauseMessage("The driver completed without a connection"));
            StepVerifier.create(engine.open()).verifyComplete();
        }

        @Test
        void isReportedForThrowingFactory() {
            ReactiveEngineCache broken = ReactiveEngineCache.builder()
                    .connectionFactory(options -> {
                        throw new NoSuchMethodError("of another version");
                    })
                    .build();

            StepVerifier.create(broken.engine(URL).open())
                    .expectErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineOpenException.class)
                            .hasCauseInstanceOf(NoSuchMethodError.class))
                    .verify(LONG);
        }

        @Test
        void isReportedForPoolingFactory() {
            ReactiveEngineCache pooling = ReactiveEngineCache.builder()
                    .connectionFactory(options -> open())
                    .build();

            StepVerifier.create(pooling.engine(URL).open())
                    .verifyErrorSatisfies(error -> assertThat(error).hasMessageContaining("returned a pool"));
        }

        @Test
        void leavesNoConnectionOpen() {
            driver.on(Call.VALIDATE).times(1).fails(away);

            StepVerifier.create(engine.open()).verifyError(EngineOpenException.class);

            assertThat(driver.openConnections()).isZero();
            assertThat(driver.createdConnections()).isOne();
        }
    }

    @Nested
    class Cancelling {
        private final FakeGate gate = driver.on(Call.CREATE).times(1).waits();

        @Test
        void firstSubscriberDoesNotCancelOpening() {
            reactor.core.Disposable first = engine.open().subscribe();
            Mono<Void> second = engine.open().cache();
            second.subscribe();
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            first.dispose();
            gate.release();

            StepVerifier.create(second).verifyComplete();
            assertThat(driver.calls()).startsWith("1 create").doesNotContain("1 cancel create");
        }

        @Test
        void allSubscribersLeavesEngineOpenWithoutLeak() {
            reactor.core.Disposable only = engine.open().subscribe();
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            only.dispose();
            gate.release();

            StepVerifier.create(engine.open()).verifyComplete();
            assertThat(factories).hasValue(1);
            StepVerifier.create(cache.close()).verifyComplete();
            assertThat(driver.openConnections()).isZero();
        }
    }

    @Nested
    class Closing {
        @Test
        void closesIdleConnectionsAndAllowsReopening() {
            ConnectionPool pool = open();

            StepVerifier.create(engine.close()).verifyComplete();

            assertThat(driver.openConnections()).isZero();
            assertThat(cache.engines()).isEmpty();
            assertThat(events).endsWith("closed r2dbc:fake://ada@host/db");
            assertThat(open()).isNotSameAs(pool);
        }

        @Test
        void makesKeptMonoEmitNewPool() {
            Mono<ConnectionPool> kept = cache.pool(URL);
            ConnectionPool pool = Objects.requireNonNull(kept.block(LONG));

            StepVerifier.create(cache.engine("r2dbc:fake://ada@host/db").close())
                    .verifyComplete();

            ConnectionPool next = Objects.requireNonNull(kept.block(LONG));
            assertThat(next).isNotSameAs(pool);
            assertThat(next.isDisposed()).isFalse();
        }

        @Test
        void waitsForAcquiredConnectionsWhileNewEngineOpens() {
            ConnectionPool pool = open();
            Connection borrowed = acquire(pool);
            Mono<Void> closing = engine.close().cache();
            StepVerifier.Step<Void> closed = StepVerifier.create(closing)
                    .expectSubscription()
                    .expectNoEvent(Duration.ofMillis(20))
                    .then(() -> {
                        assertThat(cache.engines())
                                .extracting(EngineStatus::state)
                                .containsExactly(CLOSING);
                        assertThat(open()).isNotSameAs(pool);
                        StepVerifier.create(borrowed.close()).verifyComplete();
                    });

            closed.expectComplete().verify(LONG);
            assertThat(driver.closedConnections()).isOne();
        }

        @Test
        void stopsWaitingAfterCloseTimeoutAndReportsIt() {
            ReactiveEngineCache shortTimeout = cache(builder -> builder.closeTimeout(Duration.ZERO));
            Connection borrowed =
                    acquire(Objects.requireNonNull(shortTimeout.pool(URL).block(LONG)));

            StepVerifier.create(shortTimeout.close()).verifyComplete();

            assertThat(events)
                    .containsSubsequence(
                            "connectionsNotReturned r2dbc:fake://ada@host/db 1", "closed r2dbc:fake://ada@host/db");
            StepVerifier.create(borrowed.close()).verifyComplete();
            assertThat(driver.openConnections()).isZero();
        }

        /** Failed within 15 rounds while a release was considered complete at the signal of the pool. */
        @Test
        void doesNotCloseJustAcquiredConnection() {
            for (int i = 0; i < Proof.rounds(2000, 50_000); i++) {
                ReactiveEngineCache shortTimeout = cache(builder -> builder.closeTimeout(Duration.ZERO));
                Connection borrowed =
                        acquire(Objects.requireNonNull(shortTimeout.pool(URL).block(LONG)));

                StepVerifier.create(shortTimeout.close().then(Mono.from(borrowed.close())))
                        .verifyComplete();

                assertThat(driver.violations()).isEmpty();
            }
        }

        @Test
        void waitsForConnectionsBeingCreated() {
            ConnectionPool pool = open();
            Connection first = acquire(pool);
            FakeGate gate = driver.on(Call.CREATE).times(1).waits();
            Mono<Connection> late = pool.create().cache();
            late.subscribe();
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            StepVerifier.create(engine.close())
                    .then(() -> StepVerifier.create(first.close()).verifyComplete())
                    .then(gate::release)
                    .then(() -> StepVerifier.create(late.flatMap(arrived -> Mono.<Void>from(arrived.close())))
                            .verifyComplete())
                    .expectComplete()
                    .verify(LONG);
            assertThat(driver.openConnections()).isZero();
        }

        @Test
        void twiceClosesOnce() {
            open();
            Mono<Void> close = engine.close();

            StepVerifier.create(Mono.when(close, close, engine.close())).verifyComplete();
            StepVerifier.create(close).verifyComplete();

            assertThat(events).filteredOn(event -> event.startsWith("closed")).hasSize(1);
        }

        @Test
        void engineThatWasNeverOpenedCompletes() {
            StepVerifier.create(engine.close()).verifyComplete();
            assertThat(events).isEmpty();
        }

        @Test
        void whileOpeningWaitsAndRedirectsSubscribersToNewEngine() {
            FakeGate gate = driver.on(Call.CREATE).times(1).waits();
            Mono<ConnectionPool> waiting = engine.pool().cache();
            waiting.subscribe();
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            StepVerifier.create(engine.close())
                    .expectSubscription()
                    .expectNoEvent(Duration.ofMillis(20))
                    .then(gate::release)
                    .expectComplete()
                    .verify(LONG);

            StepVerifier.create(waiting)
                    .assertNext(pool -> assertThat(pool.isDisposed()).isFalse())
                    .expectComplete()
                    .verify(LONG);
            assertThat(factories).hasValue(2);
            assertThat(driver.openConnections()).isOne();
        }

        @Test
        void whileOpeningWaitsUpToCloseTimeoutAndClosesLater() {
            ReactiveEngineCache shortTimeout = cache(builder -> builder.closeTimeout(Duration.ofMillis(20)));
            FakeGate gate = driver.on(Call.CREATE).times(1).waits();
            Mono<Void> waiting = shortTimeout.engine(URL).open().cache();
            waiting.subscribe(null, error -> {});
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            StepVerifier.create(shortTimeout.close()).expectComplete().verify(LONG);
            assertThat(events).contains("openingNotAwaited r2dbc:fake://ada@host/db");
            gate.release();

            StepVerifier.create(waiting)
                    .expectError(EngineCacheClosedException.class)
                    .verify(LONG);
            assertThat(driver.openConnections()).isZero();
        }

        @Test
        void allowsNextEngineWithOtherSettings() {
            ConnectionPool pool =
                    Objects.requireNonNull(cache.pool(URL + "?maxSize=4").block(LONG));
            Connection borrowed = acquire(pool);
            engine.close().subscribe();

            StepVerifier.create(cache.pool("r2dbc:fake://ada:hush-oth3r@host/db?maxSize=8"))
                    .expectNextCount(1)
                    .expectComplete()
                    .verify(LONG);
            StepVerifier.create(borrowed.close()).verifyComplete();
        }

        @Test
        void whileOpeningFailsCompletesAndSubscriberGetsError() {
            FakeGate gate = driver.on(Call.CREATE)
                    .times(1)
                    .fails(new R2dbcTransientResourceException("away"))
                    .waits();
            Mono<Void> waiting = engine.open().cache();
            waiting.subscribe(null, error -> {});
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            StepVerifier.create(engine.close())
                    .then(gate::release)
                    .expectComplete()
                    .verify(LONG);

            StepVerifier.create(waiting).verifyError(EngineOpenException.class);
            assertThat(cache.engines()).isEmpty();
        }

        @Test
        void continuesAfterCancellation() {
            FakeGate gate = driver.on(Call.CLOSE).times(1).waits();
            open();
            reactor.core.Disposable subscription = engine.close().subscribe();
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            subscription.dispose();
            gate.release();

            StepVerifier.create(engine.close()).verifyComplete();
            assertThat(driver.openConnections()).isZero();
        }

        @Test
        void reportsFailedConnectionCloseAndCompletes() {
            driver.on(Call.CLOSE).fails(new IllegalStateException("stuck"));
            open();

            StepVerifier.create(engine.close()).expectComplete().verify(LONG);

            assertThat(events).contains("closeFailed r2dbc:fake://ada@host/db stuck");
        }

        /** {@code closing} must be read after {@code engines}, since the entry moves from the latter to the former. */
        @Test
        void closingEngineIsListedUntilClosed() {
            try (Race race = new Race(2)) {
                for (int i = 0; i < 500; i++) {
                    ReactiveEngineCache fresh = cache(builder -> builder);
                    Connection borrowed = acquire(Objects.requireNonNull(
                            fresh.pool("r2dbc:fake://host/db").block(LONG)));
                    AtomicBoolean missing = new AtomicBoolean();
                    race.run(task -> task == 0
                            ? Mono.fromRunnable(() -> fresh.close().subscribe())
                            : Mono.fromRunnable(() -> {
                                while (!missing.get()
                                        && fresh.engines().stream().noneMatch(status -> status.state() == CLOSING)) {
                                    missing.set(fresh.engines().isEmpty());
                                }
                            }));
                    assertThat(missing).as("round %d", i).isFalse();
                    Mono.from(borrowed.close()).then(fresh.close()).block(LONG);
                }
            }
        }
    }

    @Nested
    class ClosedCache {
        @Test
        void rejectsLaterSubscribers() {
            Mono<ConnectionPool> kept = cache.pool(URL);
            open();

            StepVerifier.create(cache.close()).verifyComplete();
            StepVerifier.create(cache.close()).verifyComplete();

            StepVerifier.create(kept).verifyError(EngineCacheClosedException.class);
            StepVerifier.create(cache.pool(URL)).verifyError(EngineCacheClosedException.class);
            StepVerifier.create(engine.open()).verifyError(EngineCacheClosedException.class);
            assertThat(driver.openConnections()).isZero();
        }

        @Test
        void rejectsWaitingSubscribers() {
            FakeGate gate = driver.on(Call.CREATE).times(1).waits();
            Mono<Void> waiting = engine.open().cache();
            waiting.subscribe(null, error -> {});
            StepVerifier.create(gate.reached()).expectComplete().verify(LONG);

            StepVerifier.create(cache.close())
                    .then(gate::release)
                    .expectComplete()
                    .verify(LONG);

            StepVerifier.create(waiting)
                    .expectError(EngineCacheClosedException.class)
                    .verify(LONG);
            assertThat(driver.openConnections()).isZero();
        }

        @Test
        void waitsForClosingEngine() {
            Connection borrowed = acquire(open());
            engine.close().subscribe();

            StepVerifier.create(cache.close())
                    .expectSubscription()
                    .expectNoEvent(Duration.ofMillis(20))
                    .then(() -> StepVerifier.create(borrowed.close()).verifyComplete())
                    .expectComplete()
                    .verify(LONG);
        }
    }

    @Nested
    class DisposedPool {
        @Test
        void isReplacedByNewEngine() {
            Mono<ConnectionPool> kept = cache.pool(URL);
            ConnectionPool pool = open();
            StepVerifier.create(pool.disposeLater()).verifyComplete();
            StepVerifier.create(pool.create()).verifyError(PoolShutdownException.class);

            StepVerifier.create(kept)
                    .assertNext(next -> assertThat(next.isDisposed()).isFalse())
                    .expectComplete()
                    .verify(LONG);
            assertThat(factories).hasValue(2);
            assertThat(cache.engines()).hasSize(1);
        }
    }

    @Nested
    class ContextOfSubscriber {
        @Test
        void doesNotReachDriver() {
            Mono<Void> threeAtATime = cache.pool(URL)
                    .flatMap(pool -> Mono.usingWhen(
                            pool.create(),
                            first -> Mono.usingWhen(
                                    pool.create(),
                                    second -> engine.openConnection().flatMap(third -> Mono.<Void>from(third.close())),
                                    Connection::close),
                            Connection::close))
                    .contextWrite(Context.of("tenant", "ada"));

            StepVerifier.create(threeAtATime).verifyComplete();

            assertThat(driver.createContexts()).hasSize(3).allMatch(context -> context.isEmpty());
        }
    }

    @Nested
    class BarePublisher {
        @Test
        void secondAcquisitionWaitsForReleaseInPoolOfOne() {
            driver.withBarePublishers();
            ConnectionPool pool =
                    Objects.requireNonNull(cache.pool(URL + "?maxSize=1").block(LONG));
            Connection first = acquire(pool);

            StepVerifier.create(pool.create())
                    .expectSubscription()
                    .expectNoEvent(Duration.ofMillis(20))
                    .then(() -> StepVerifier.create(first.close()).verifyComplete())
                    .expectNextCount(1)
                    .expectComplete()
                    .verify(LONG);
            assertThat(driver.createdConnections()).isOne();
        }
    }

    @Nested
    class OtherEngines {
        @Test
        void connectionFactoryMayOpenAnotherEngine() {
            AtomicInteger asked = new AtomicInteger();
            ReactiveEngineCache[] self = new ReactiveEngineCache[1];
            self[0] = ReactiveEngineCache.builder()
                    .connectionFactory(options -> {
                        if (asked.incrementAndGet() == 1) {
                            StepVerifier.create(self[0].engine("r2dbc:fake://other/db")
                                            .open())
                                    .expectComplete()
                                    .verify(LONG);
                        }
                        return driver;
                    })
                    .build();

            StepVerifier.create(self[0].engine(URL).open()).expectComplete().verify(LONG);
            assertThat(self[0].engines()).hasSize(2);
        }

        @Test
        void slowOpeningDoesNotDelayEngineInSameMapBin() {
            EngineUrl slow = EngineUrl.parse("r2dbc:fake://slow/a0", "");
            String inSameBin = Flux.range(1, 100_000)
                    .map(i -> "r2dbc:fake://slow/a" + i)
                    .filter(url -> bin(EngineUrl.parse(url, "")) == bin(slow))
                    .blockFirst();
            FakeDriver never = new FakeDriver();
            never.on(Call.CREATE).neverAnswers();
            ReactiveEngineCache both = ReactiveEngineCache.builder()
                    .connectionFactory(options -> options.toString().contains("a0,") ? never : driver)
                    .build();
            Mono<Void> stuck = both.engine("r2dbc:fake://slow/a0").open();
            stuck.subscribe(null, error -> {});
            assertThat(both.engines()).hasSize(1);

            StepVerifier.create(both.engine(Objects.requireNonNull(inSameBin)).open())
                    .expectComplete()
                    .verify(LONG);
            assertThat(both.engines())
                    .extracting(EngineStatus::state)
                    .containsExactlyInAnyOrder(EngineStatus.State.OPENING, OPEN);
        }

        /** The bin in a {@code ConcurrentHashMap} with the initial 16 bins. */
        private static int bin(EngineUrl url) {
            int hash = url.key().hashCode();
            return (hash ^ (hash >>> 16)) & 15;
        }
    }

    @Nested
    class SettingsThatUrlsName {
        @Test
        void thatDifferAreRejectedInEitherOrder() {
            for (List<String> order : List.of(List.of("4", "8"), List.of("8", "4"))) {
                StepVerifier.create(cache.pool(URL + "?maxSize=" + order.get(0)))
                        .expectNextCount(1)
                        .verifyComplete();
                StepVerifier.create(cache.pool(URL + "?maxSize=" + order.get(1)))
                        .verifyErrorSatisfies(error -> assertThat(error)
                                .isInstanceOfSatisfying(
                                        EngineConflictException.class,
                                        conflict ->
                                                assertThat(conflict.setting()).isEqualTo("maxSize"))
                                .hasMessageContaining("maxSize: '" + order.get(0) + "' and '" + order.get(1) + "'"));
                StepVerifier.create(engine.close()).verifyComplete();
            }
        }

        @Test
        void atOpeningApplyToUrlsThatNameNone() {
            ConnectionPool pool =
                    Objects.requireNonNull(cache.pool(URL + "?maxSize=4").block(LONG));

            assertThat(open()).isSameAs(pool);
            assertThat(cache.engines().get(0).connections().maxSize()).isEqualTo(4);
        }

        @Test
        void afterOpeningAreReportedAsIgnoredOnce() {
            ConnectionPool pool = open();

            for (int i = 0; i < 2; i++) {
                StepVerifier.create(cache.pool(URL + "?maxSize=4&minIdle=2"))
                        .expectNext(pool)
                        .verifyComplete();
            }

            assertThat(events)
                    .endsWith("settingsIgnored r2dbc:fake://ada@host/db "
                            + new java.util.TreeSet<>(Set.of("maxSize", "minIdle")));
            assertThat(events).hasSize(2);
            StepVerifier.create(cache.pool(URL + "?maxSize=5")).verifyError(EngineConflictException.class);
        }

        @Test
        void differentPasswordsAreRejectedAndNotShown() {
            open();

            StepVerifier.create(cache.pool("r2dbc:fake://ada:hush-oth3r@host/db"))
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineConflictException.class)
                            .message()
                            .contains("password")
                            .doesNotContain("s3cret", "oth3r"));
        }

        @Test
        void thatContradictSettingsInCodeFailOpening() {
            StepVerifier.create(cache.pool(URL + "?initialSize=11"))
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(EngineOpenException.class)
                            .hasRootCauseMessage("initialSize is 11, more than maxSize, which is 10:"
                                    + " raise maxSize or lower the other"));
        }
    }
}
