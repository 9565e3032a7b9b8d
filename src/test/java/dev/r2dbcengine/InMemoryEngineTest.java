package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.MovableClock;
import dev.r2dbcengine.testing.Sql;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** In-memory databases: one for each name, with the lifetime of their engine. */
class InMemoryEngineTest {
    private static final String UNNAMED = "r2dbc:h2:mem:///";
    private static final Duration LONG = Duration.ofSeconds(20);

    private final String named = "r2dbc:h2:mem:///" + UUID.randomUUID();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ReactiveEngineCache cache =
            ReactiveEngineCache.builder().listener(new Recorder(events)).build();

    @AfterEach
    void close() {
        StepVerifier.create(cache.close()).expectComplete().verify(LONG);
    }

    private static ConnectionPool open(ReactiveEngineCache cache, String url) {
        return Objects.requireNonNull(cache.pool(url).block(LONG));
    }

    private static void createTable(ConnectionPool pool) {
        StepVerifier.create(Sql.execute(pool, "create table t as select 7 as n"))
                .verifyComplete();
    }

    private static void assertTableIsVisible(ConnectionPool pool) {
        StepVerifier.create(Sql.number(pool, "select n from t")).expectNext(7L).verifyComplete();
    }

    /** Returns whether H2 has the database, without creating it. */
    private static Mono<Boolean> exists(String name) {
        return Mono.from(ConnectionFactories.get("r2dbc:h2:mem:///" + name + ";IFEXISTS=TRUE")
                        .create())
                .flatMap(connection -> Mono.from(connection.close()).thenReturn(true))
                .onErrorReturn(false);
    }

    @Nested
    class Identity {
        @ParameterizedTest
        @CsvSource({
            "r2dbc:h2:mem:///, r2dbc:h2:mem://",
            "r2dbc:h2:mem:///, r2dbc:pool:h2:mem:///",
            "r2dbc:h2:mem:///, r2dbc:h2:mem://?maxSize=10",
            "r2dbc:h2:mem:///;MODE=MySQL, r2dbc:h2:mem:///?options=MODE=MySQL",
            "r2dbc:h2:mem:///x1, r2dbc:h2:mem://localhost/x1",
            "r2dbc:h2:mem:///x1;DB_CLOSE_ON_EXIT=FALSE, r2dbc:h2:mem:///x1",
            "r2dbc:h2:mem:///x1?options=MODE=MySQL;DB_CLOSE_ON_EXIT=FALSE, r2dbc:h2:mem:///x1;MODE=MySQL",
        })
        void everySpellingOfDatabaseIsOneEngine(String one, String other) {
            createTable(open(cache, one));

            assertTableIsVisible(open(cache, other));
            assertThat(open(cache, other)).isSameAs(open(cache, one));
        }

        @Test
        void unnamedDatabaseBelongsToCacheAndItsNameIsReported() {
            ReactiveEngineCache another = ReactiveEngineCache.create();
            createTable(open(cache, UNNAMED));

            StepVerifier.create(Sql.number(open(another, UNNAMED), "select n from t"))
                    .verifyError();
            String name = cache.engines().get(0).givenName().orElseThrow();
            assertTableIsVisible(open(another, "r2dbc:h2:mem:///" + name));
            StepVerifier.create(another.close()).verifyComplete();
        }

        @ParameterizedTest
        @CsvSource({
            "r2dbc:h2:mem:///y;MODE=MySQL, r2dbc:h2:mem:///y;MODE=PostgreSQL, MODE",
            "r2dbc:h2:mem://ada@localhost/y, r2dbc:h2:mem://bob@localhost/y, user",
            "r2dbc:h2:mem://a:one@localhost/y, r2dbc:h2:mem://a:two@localhost/y, password",
            "r2dbc:h2:mem:///y?maxSize=3, r2dbc:h2:mem:///y?maxSize=4, maxSize",
        })
        void differentOptionsAreRejected(String one, String other, String setting) {
            open(cache, one);

            StepVerifier.create(cache.pool(other))
                    .verifyErrorSatisfies(error -> assertThat(error)
                            .isInstanceOfSatisfying(
                                    EngineConflictException.class,
                                    conflict -> assertThat(conflict.setting()).isEqualTo(setting)));
        }
    }

    @Nested
    class Data {
        @Test
        void survivesEvictionOfAllIdleConnections() {
            MovableClock clock = new MovableClock();
            ReactiveEngineCache moving = ReactiveEngineCache.builder()
                    .settings(EngineSettings.builder()
                            .maxIdleTime(Duration.ofMinutes(1))
                            .clock(clock)
                            .build())
                    .build();
            ConnectionPool pool = open(moving, UNNAMED);
            createTable(pool);
            Object before = session(pool);

            clock.advance(Duration.ofHours(1));

            assertThat(session(pool)).isNotEqualTo(before);
            assertTableIsVisible(pool);
            StepVerifier.create(moving.close()).verifyComplete();
        }

        private Object session(ConnectionPool pool) {
            return Objects.requireNonNull(
                    Sql.number(pool, "select session_id()").block(LONG));
        }

        @Test
        void isDeletedWithItsEngine() {
            createTable(open(cache, named));

            StepVerifier.create(cache.engine(named).close()).verifyComplete();

            StepVerifier.create(exists(named.substring(UNNAMED.length())))
                    .expectNext(false)
                    .verifyComplete();
            StepVerifier.create(Sql.number(open(cache, named), "select n from t"))
                    .verifyError();
        }

        @Tag("thousand")
        @Test
        void doesNotLeakAfterThousandEngines() {
            Flux<String> names = Flux.range(0, 1000).map(i -> named.substring(UNNAMED.length()) + i);
            Flux<Void> opened = names.flatMap(
                    name -> {
                        Engine engine = cache.engine(UNNAMED + name);
                        return engine.pool()
                                .flatMap(pool -> Sql.execute(pool, "create table t as select 7 as n"))
                                .then(exists(name))
                                .doOnNext(there -> assertThat(there).isTrue())
                                .then(engine.close());
                    },
                    8);

            StepVerifier.create(opened).expectComplete().verify(Duration.ofMinutes(1));

            assertThat(cache.engines()).isEmpty();
            StepVerifier.create(names.filterWhen(InMemoryEngineTest::exists)).verifyComplete();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("r2dbc-engine-worker"))
                    .hasSizeLessThan(50);
        }

        @Test
        void survivesItsEngineWithCloseDelay() {
            String url = named + ";DB_CLOSE_DELAY=-1";
            createTable(open(cache, url));

            StepVerifier.create(cache.engine(url).close()).verifyComplete();

            ConnectionPool again = open(cache, url);
            assertTableIsVisible(again);
            StepVerifier.create(Sql.execute(again, "shutdown")).verifyComplete();
        }

        @Test
        void sharedByTwoCachesSurvivesUntilSecondCloses() {
            ReactiveEngineCache another = ReactiveEngineCache.create();
            createTable(open(cache, named));
            ConnectionPool second = open(another, named);
            assertTableIsVisible(second);

            StepVerifier.create(cache.engine(named).close()).verifyComplete();
            assertTableIsVisible(second);
            StepVerifier.create(another.close()).verifyComplete();

            StepVerifier.create(exists(named.substring(UNNAMED.length())))
                    .expectNext(false)
                    .verifyComplete();
            assertThat(events).noneMatch(event -> event.startsWith("databaseLost"));
        }

        @Test
        void shutdownIsReportedAtNextConnection() {
            ConnectionPool pool = open(cache, named);
            createTable(pool);
            StepVerifier.create(Sql.execute(pool, "shutdown").onErrorComplete()).verifyComplete();
            String lost = "databaseLost " + named;
            assertThat(events).doesNotContain(lost);

            // The connection that ran SHUTDOWN fails its validation, so the pool creates another one.
            StepVerifier.create(Sql.number(pool, "select 1").retry(2))
                    .expectNext(1L)
                    .verifyComplete();

            assertThat(events).containsOnlyOnce(lost);
            StepVerifier.create(cache.engine(named).close()).verifyComplete();
            assertThat(events).containsOnlyOnce(lost);
        }

        @Test
        void shutdownIsReportedAtClose() {
            ConnectionPool pool = open(cache, named);
            StepVerifier.create(Sql.execute(pool, "shutdown").onErrorComplete()).verifyComplete();

            StepVerifier.create(cache.engine(named).close()).verifyComplete();

            assertThat(events).contains("databaseLost " + named);
        }
    }
}
