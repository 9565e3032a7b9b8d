package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Units on event loops, with a driver that works on the calling thread. BlockHound detects blocking. */
class EventLoopUnitsIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final TestDatabase database = TestDatabase.fresh(Server.H2).keepAlive();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .connectionFactory(options -> new RecordingConnectionFactory(ConnectionFactories.get(options)))
            .settings(EngineSettings.builder().maxSize(4).build())
            .build();
    /* Sixteen units wait for one row lock, which can exceed H2's default of two seconds. */
    private final Engine engine = engines.engine(database.url() + "?options=LOCK_TIMEOUT=10000");

    @BeforeEach
    void setUp() {
        database.execute(
                        "create table item (id int primary key, n int)",
                        "insert into item values (0, 0), (1, 0), (2, 0)",
                        "create alias on_its_thread for '" + Threads.class.getName() + ".note'")
                .block(LONG);
        Threads.SEEN.clear();
    }

    @AfterEach
    void closeAndCheckConnections() {
        assertThat(engines.engines().get(0).connections().borrowed()).isZero();
        engines.close().block(LONG);
        database.close();
    }

    private static Mono<Long> increment(Work work, int id) {
        return work.sql("update item set n = n + on_its_thread() where id = :id")
                .bind("id", id)
                .update();
    }

    @Test
    void unitsWaitingForOneLockCompleteWithoutBlockingEventLoops() {
        StepVerifier.create(Flux.range(0, 200)
                        .flatMap(
                                i -> engine.unitOfWork()
                                        .execute(work -> increment(work, 0).then(increment(work, 1)))
                                        .subscribeOn(Schedulers.parallel()),
                                16)
                        .count())
                .expectNext(200L)
                .expectComplete()
                .verify(LONG);

        // Event loops appear here too: they deliver a statement that completes while they subscribe to it.
        assertThat(Threads.SEEN).anyMatch(name -> name.startsWith("r2dbc-engine-worker"));
        StepVerifier.create(database.query("select n from item where id < 2 order by id", Integer.class))
                .expectNext(List.of(200, 200))
                .verifyComplete();
    }

    /* Both units share one event loop: if the second blocked it, the first could never send its COMMIT. */
    @Test
    void lockWaitDoesNotBlockHolderOnSameEventLoop() {
        var loop = Schedulers.newParallel("one-loop", 1);
        Sinks.One<Boolean> held = Sinks.one();
        Sinks.One<Boolean> release = Sinks.one();
        Mono<Long> first = engine.unitOfWork()
                .execute(work -> increment(work, 0)
                        .doOnNext(count -> held.tryEmitValue(true))
                        .then(release.asMono().publishOn(loop))
                        .then(increment(work, 1)));
        Mono<Long> second = held.asMono()
                .publishOn(loop)
                .flatMap(now -> engine.unitOfWork().execute(work -> {
                    loop.schedule(() -> release.tryEmitValue(true));
                    return increment(work, 0);
                }));

        StepVerifier.create(Mono.zip(first.subscribeOn(loop), second.subscribeOn(loop)))
                .expectNextCount(1)
                .expectComplete()
                .verify(LONG);
        loop.dispose();
    }

    @Test
    void allCallsOfUnitRunOffTheEventLoop() {
        Mono<Long> all = engine.unitOfWork()
                .timeout(LONG)
                .lockWaitTimeout(LONG)
                .execute(work -> work.savepoint(inner -> increment(inner, 0))
                        .then(work.connection())
                        .flatMap(connection -> Flux.from(connection
                                        .createStatement("select n + on_its_thread() from item order by id")
                                        .execute())
                                .concatMap(result -> result.map(row -> row.get(0, Integer.class)))
                                .publishOn(Schedulers.parallel(), 1)
                                .count())
                        .publishOn(Schedulers.parallel())
                        .flatMapMany(count -> work.sql("select id * on_its_thread() from item")
                                .map(Integer.class)
                                .all())
                        .publishOn(Schedulers.parallel(), 1)
                        .concatMap(id -> increment(work, id))
                        .count()
                        .publishOn(Schedulers.parallel()));

        StepVerifier.create(all.subscribeOn(Schedulers.parallel()))
                .expectNext(3L)
                .expectComplete()
                .verify(LONG);

        assertThat(Threads.SEEN)
                .contains("beginTransaction", "createSavepoint", "releaseSavepoint", "commitTransaction", "alias")
                .noneMatch(thread -> thread.startsWith("parallel"));
    }

    /** Records the calls and the threads that they run on. */
    public static final class Threads {
        private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

        private Threads() {}

        /** Called by the database through an alias. */
        public static int note() {
            note("alias");
            return 1;
        }

        private static void note(String call) {
            SEEN.add(call);
            SEEN.add(Thread.currentThread().getName());
        }
    }

    /** Records the thread of each call of a connection, including begin and commit. */
    private record RecordingConnectionFactory(ConnectionFactory driver) implements ConnectionFactory {
        @Override
        public Publisher<? extends Connection> create() {
            return Mono.from(driver.create()).map(RecordingConnectionFactory::noted);
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return driver.getMetadata();
        }

        private static Connection noted(Connection connection) {
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        Object result = method.invoke(connection, arguments);
                        return result instanceof Publisher<?> call
                                ? Mono.from(call).doFirst(() -> Threads.note(method.getName()))
                                : result;
                    });
        }
    }
}
