package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.RestartedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A server is restarted under load: the engine recovers by itself, and every reported commit is durable. */
class RestartedServerIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final int WORKERS = 8;
    private static final int POOL = 4;

    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .settings(EngineSettings.builder().maxSize(POOL).build())
            .build();

    private final AtomicInteger numbers = new AtomicInteger();
    private final Set<Integer> committed = ConcurrentHashMap.newKeySet();
    private final Set<Integer> failed = ConcurrentHashMap.newKeySet();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    @Test
    void engineRecoversFromPostgreSqlRestart() throws Exception {
        try (RestartedServer server = RestartedServer.postgresql(directory)) {
            assertRecovers("PostgreSQL", server);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "proof", matches = "true") // starts slowly
    void engineRecoversFromMariaDbRestart() throws Exception {
        try (RestartedServer server = RestartedServer.mariadb(directory)) {
            assertRecovers("MariaDB", server);
        }
    }

    private void assertRecovers(String name, RestartedServer server) throws Exception {
        Engine engine = engines.engine(server.url());
        engine.sql("create table served (n int primary key)").update().block(LONG);
        Disposable load = load(engine);
        int before = awaitMore(committed);
        server.stop();
        int during = awaitMore(failed);
        server.start();
        awaitMore(committed);
        // By now no worker is in an attempt that began before the restart.
        int late = failed.size();
        awaitMore(committed);
        assertThat(failed).as("failures after the restart").hasSizeLessThanOrEqualTo(late + POOL);
        load.dispose();
        Proof.figure("%s: %d committed, stopped, %d failed, started, %d committed more"
                .formatted(name, before, during, committed.size() - before));
        assertNothingIsLost(engine);
    }

    private Disposable load(Engine engine) {
        return Flux.range(0, WORKERS)
                .flatMap(worker -> unit(engine).repeatWhen(again -> again.delayElements(PAUSE)), WORKERS)
                .subscribe();
    }

    private Mono<Long> unit(Engine engine) {
        return Mono.defer(() -> {
            int number = numbers.incrementAndGet();
            return engine.unitOfWork()
                    .execute(work -> work.sql("insert into served values (:n)")
                            .bind("n", number)
                            .update())
                    .doOnNext(done -> committed.add(number))
                    .doOnError(e -> failed.add(number))
                    .onErrorComplete();
        });
    }

    /** Waits until the set has grown by several units of each worker. */
    private static int awaitMore(Set<Integer> set) {
        int target = set.size() + 5 * WORKERS;
        return Objects.requireNonNull(Flux.interval(PAUSE)
                .map(tick -> set.size())
                .filter(size -> size >= target)
                .blockFirst(LONG));
    }

    private void assertNothingIsLost(Engine engine) {
        Flux.interval(PAUSE)
                .filter(tick -> engines.engines().get(0).connections().borrowed() == 0)
                .blockFirst(LONG);
        assertThat(engine.sql("select n from served")
                        .map(Integer.class)
                        .all()
                        .collectList()
                        .block(LONG))
                .containsAll(committed);
        assertThat(engines.engines().get(0).connections().idle()).isLessThanOrEqualTo(POOL);
    }
}
