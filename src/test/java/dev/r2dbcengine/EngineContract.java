package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Secrets;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.Sql;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Tests of an engine that run on every database. */
abstract class EngineContract {
    static final Duration LONG = Duration.ofSeconds(30);

    private final Server server;
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ReactiveEngineCache cache =
            ReactiveEngineCache.builder().listener(new Recorder(events)).build();
    TestDatabase database;
    Engine engine;

    @SuppressWarnings("NullAway.Init") // set before each test
    EngineContract(Server server) {
        this.server = server;
    }

    @BeforeEach
    void fresh() {
        database = TestDatabase.fresh(server);
        engine = cache.engine(database.url());
    }

    @AfterEach
    void noSessionIsLeft() {
        StepVerifier.create(cache.close()).expectComplete().verify(LONG);
        StepVerifier.create(database.sessionsSettlingAt(0)).expectNext(0).verifyComplete();
        database.close();
    }

    ConnectionPool pool() {
        return Objects.requireNonNull(engine.pool().block(LONG));
    }

    @Test
    void racingSubscribersShareOnePoolAndOneDatabase() {
        try (Race race = new Race(32)) {
            List<ConnectionPool> pools = race.run(i -> cache.pool(database.url()));
            assertThat(new HashSet<>(pools)).hasSize(1);
            StepVerifier.create(Sql.execute(pools.get(0), "create table t (id int)"))
                    .verifyComplete();

            List<Long> inserted = race.run(i -> Sql.execute(pools.get(i), "insert into t values (" + i + ")")
                    .thenReturn(1L));

            assertThat(inserted).hasSize(32);
            StepVerifier.create(Sql.number(pools.get(31), "select count(*) from t"))
                    .expectNext(32L)
                    .verifyComplete();
        }
    }

    @Test
    void dialectMatchesDatabase() {
        StepVerifier.create(engine.dialect())
                .assertNext(dialect -> assertThat(dialect.name()).isEqualToIgnoringCase(server.name()))
                .verifyComplete();
    }

    @Test
    void pingReleasesItsConnection() {
        StepVerifier.create(engine.ping().repeat(20)).verifyComplete();

        assertThat(cache.engines().get(0).connections().borrowed()).isZero();
        assertThat(cache.engines().get(0).connections().idle()).isOne();
    }

    @Test
    void unpooledConnectionOutlivesEngine() {
        Connection connection = Objects.requireNonNull(engine.openConnection().block(LONG));
        assertThat(cache.engines().get(0).connections().borrowed()).isZero();

        StepVerifier.create(engine.close()).expectComplete().verify(LONG);

        StepVerifier.create(Flux.from(connection.createStatement("select 1").execute())
                        .concatMap(result -> result.map(row -> row.get(0))))
                .expectNextCount(1)
                .verifyComplete();
        StepVerifier.create(connection.close()).verifyComplete();
    }

    @Test
    void closeWaitsForAcquiredConnections() {
        Connection borrowed = Objects.requireNonNull(pool().create().block(LONG));

        StepVerifier.create(engine.close())
                .expectSubscription()
                .expectNoEvent(Duration.ofMillis(50))
                .then(() -> StepVerifier.create(borrowed.close()).verifyComplete())
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(database.sessionsSettlingAt(0)).expectNext(0).verifyComplete();
    }

    /** The engine is closed repeatedly while releases pass connections to pending acquisitions. */
    @Test
    void closeUnderLoadFailsNoStatement() {
        Duration running = Duration.ofMillis(Proof.rounds(1_000, 15_000));
        Engine shared = cache.engine(database.url() + "?maxSize=3");
        Mono<Long> statement = shared.sql("select 1").map(Long.class).one();
        Mono<Long> unit = shared.unitOfWork()
                .execute(work -> work.sql("select 1").map(Long.class).one());
        Mono<Long> raw = Mono.defer(() -> Sql.number(shared.connectionFactory(), "select 1"));

        Disposable closing = Flux.interval(Duration.ofMillis(40))
                .onBackpressureDrop()
                .concatMap(tick -> shared.close(), 1)
                .subscribe();
        try {
            StepVerifier.create(Flux.range(0, 12)
                            .flatMap(client -> Mono.defer(() -> List.of(statement, unit, raw)
                                            .get(client % 3)
                                            .subscribeOn(Schedulers.parallel()))
                                    .repeat(until(running)))
                            .all(one -> one == 1))
                    .expectNext(true)
                    .expectComplete()
                    .verify(running.plus(LONG));
        } finally {
            closing.dispose();
        }
    }

    private static BooleanSupplier until(Duration time) {
        long start = System.nanoTime();
        return () -> System.nanoTime() - start < time.toNanos();
    }

    @Test
    void onConnectRunsOnEveryConnection() {
        StepVerifier.create(database.keepAlive().execute("create table started (id int)"))
                .verifyComplete();
        ReactiveEngineCache prepared = ReactiveEngineCache.builder()
                .settings(EngineSettings.builder()
                        .onConnect("insert into started values (1)", "insert into started values (2) /* ; */")
                        .build())
                .build();
        Mono<ConnectionPool> pool = prepared.pool(database.url());

        StepVerifier.create(pool.flatMap(open -> Mono.usingWhen(
                        open.create(), first -> Sql.number(open, "select sum(id) from started"), Connection::close)))
                .expectNext(6L)
                .verifyComplete();
        StepVerifier.create(prepared.close()).verifyComplete();
    }

    @Test
    void failingOnConnectFailsOpeningWithoutLeak() {
        ReactiveEngineCache broken = ReactiveEngineCache.builder()
                .settings(EngineSettings.builder().onConnect("this is no SQL").build())
                .build();

        StepVerifier.create(broken.engine(database.url()).open())
                .verifyErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(EngineOpenException.class)
                        .hasCauseInstanceOf(io.r2dbc.spi.R2dbcBadGrammarException.class));
        StepVerifier.create(database.sessionsSettlingAt(0)).expectNext(0).verifyComplete();
        StepVerifier.create(broken.close()).verifyComplete();
    }

    @Test
    void newConnectionsUseCurrentPassword() {
        database.keepAlive();
        String user = "u" + database.name();
        StepVerifier.create(database.createUser(user, Secrets.MARK + "0")).verifyComplete();
        AtomicInteger version = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        ReactiveEngineCache rotating = ReactiveEngineCache.builder()
                .settings(EngineSettings.builder().maxSize(8).build())
                .credentials(options -> Mono.fromSupplier(() -> {
                    asked.incrementAndGet();
                    return new Credentials(user, Secrets.MARK + version.get());
                }))
                .build();
        Mono<ConnectionPool> pool = rotating.pool(database.url(user, "outdated"));
        Mono<Long> newConnection = pool.flatMap(
                open -> Mono.usingWhen(open.create(), held -> Sql.number(open, "select 1"), Connection::close));
        StepVerifier.create(newConnection).expectNext(1L).verifyComplete();

        for (int i = 1; i <= 3; i++) {
            String next = Secrets.MARK + i;
            StepVerifier.create(database.changePassword(user, next)).verifyComplete();
            version.set(i);
            int before = asked.get();
            // More concurrent acquisitions than connections, so that new connections are created under load.
            int load = 2 + 2 * i;
            Mono<List<Connection>> held = pool.flatMapMany(
                            open -> Flux.range(0, load).flatMap(n -> open.create(), load))
                    .collectList();
            StepVerifier.create(held.flatMapMany(Flux::fromIterable).concatMap(Connection::close))
                    .verifyComplete();
            assertThat(asked.get()).isGreaterThan(before);
        }
        StepVerifier.create(rotating.close()).verifyComplete();
    }

    @Test
    void wrongPasswordIsReportedWithoutShowingIt() {
        database.keepAlive();
        StepVerifier.create(database.createUser("u" + database.name(), Secrets.MARK + "right"))
                .verifyComplete();

        StepVerifier.create(cache.engine(database.url("u" + database.name(), Secrets.MARK + "wr0ng"))
                        .open())
                .verifyErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(EngineOpenException.class)
                        .message()
                        .contains(database.name(), "refused the login", "Check user and password")
                        .doesNotContain("wr0ng"));
    }
}
