package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.ReplicatedPostgreSql;
import dev.r2dbcengine.work.RetryPolicy;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The primary is killed under load and its replica promoted: one engine with both hosts continues on the new primary. */
class PostgreSqlFailoverIT implements WorkListener {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final int WORKERS = 8;

    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .settings(EngineSettings.builder()
                    .maxSize(4)
                    .hostTimeout(Duration.ofSeconds(1))
                    .hostRetryInterval(Duration.ofMillis(200))
                    .build())
            .listener(this)
            .build();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Set<Integer> committed = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Throwable> failed = new ConcurrentHashMap<>();
    private final Set<Throwable> inDoubt =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Override
    public void inDoubt(WorkExecution unit, Throwable failure) {
        inDoubt.add(failure);
    }

    @Test
    void unitsContinueOnPromotedReplica() throws Exception {
        try (ReplicatedPostgreSql servers = ReplicatedPostgreSql.start(directory)) {
            Engine primary = engines.engine(servers.url() + "?targetServerType=primary");
            Engine replica = engines.engine(servers.url() + "?targetServerType=secondary");
            primary.sql("create table served (n int)").update().block(LONG);
            assertThat(isReplica(primary)).isFalse();
            assertThat(isReplica(replica)).isTrue();
            assertReplicaRejectsOnlySerializable(replica);

            Disposable load = load(primary);
            awaitMore();
            servers.killPrimary();
            servers.promoteReplica();
            long promoted = System.nanoTime();
            int before = committed.size();
            Flux.interval(PAUSE).filter(tick -> committed.size() > before).blockFirst(LONG);
            Proof.figure("next unit %d ms after the promotion".formatted((System.nanoTime() - promoted) / 1_000_000));
            awaitMore();
            load.dispose();

            awaitIdle();
            List<Integer> stored = Objects.requireNonNull(primary.sql("select n from served")
                    .map(Integer.class)
                    .all()
                    .collectList()
                    .block(LONG));
            assertThat(stored).doesNotHaveDuplicates().containsAll(committed);
            assertThat(failed)
                    .allSatisfy((number, failure) -> assertThat(inDoubt).contains(failure));
            engines.close().block(LONG);
        }
    }

    private static boolean isReplica(Engine engine) {
        return Boolean.TRUE.equals(engine.sql("select pg_is_in_recovery()")
                .map(Boolean.class)
                .one()
                .block(LONG));
    }

    /* The statement behind a rejected BEGIN would run in auto-commit mode, so it is not sent before the answer. */
    private static void assertReplicaRejectsOnlySerializable(Engine replica) {
        for (IsolationLevel isolation : List.of(
                IsolationLevel.READ_UNCOMMITTED, IsolationLevel.READ_COMMITTED, IsolationLevel.REPEATABLE_READ)) {
            assertThat(replica.unitOfWork()
                            .isolation(isolation)
                            .readOnly()
                            .execute(work ->
                                    work.sql("select 1").map(Integer.class).one())
                            .block(LONG))
                    .isOne();
        }
        Mono<Integer> serializable = replica.unitOfWork()
                .isolation(IsolationLevel.SERIALIZABLE)
                .execute(work -> work.sql("select 1").map(Integer.class).one());
        assertThat(serializable
                        .thenReturn("")
                        .onErrorResume(R2dbcException.class, e -> Mono.just(String.valueOf(e.getSqlState())))
                        .block(LONG))
                .isEqualTo("0A000");
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
                    .retry(RetryPolicy.times(1).failover(LONG))
                    .execute(work -> work.sql("insert into served values (:n)")
                            .bind("n", number)
                            .update())
                    .doOnNext(done -> committed.add(number))
                    .doOnError(e -> failed.put(number, e))
                    .onErrorComplete();
        });
    }

    private void awaitMore() {
        int target = committed.size() + 10 * WORKERS;
        Flux.interval(PAUSE).filter(tick -> committed.size() >= target).blockFirst(LONG);
    }

    private void awaitIdle() {
        Flux.interval(PAUSE)
                .filter(tick -> engines.engines().stream()
                        .allMatch(engine -> engine.connections().borrowed() == 0))
                .blockFirst(LONG);
    }
}
