package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Sql;
import io.r2dbc.h2.H2Connection;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** H2 works on the calling thread; an engine keeps it off non-blocking threads. BlockHound is active. */
public class BlockingDriverTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ReactiveEngineCache cache = ReactiveEngineCache.create();
    private final ConnectionPool pool = Objects.requireNonNull(
            cache.pool("r2dbc:h2:mem:///;LOCK_TIMEOUT=60000").block(LONG));

    private static volatile CyclicBarrier barrier = new CyclicBarrier(2);

    /** The body of an H2 alias. */
    public static int meet() throws Exception {
        barrier.await(60, TimeUnit.SECONDS);
        return 1;
    }

    @BeforeEach
    void table() {
        barrier = new CyclicBarrier(2);
        StepVerifier.create(Sql.execute(pool, "create table t (id int primary key, n int)")
                        .then(Sql.execute(pool, "insert into t values (1, 0), (2, 0), (3, 0)")))
                .verifyComplete();
    }

    @AfterEach
    void close() {
        StepVerifier.create(cache.close()).expectComplete().verify(LONG);
    }

    @Test
    void interdependentStatementsFromOneEventLoopBothComplete() {
        StepVerifier.create(Sql.execute(pool, "create alias meet for \"dev.r2dbcengine.BlockingDriverTest.meet\""))
                .verifyComplete();
        Mono<Long> meet = Sql.number(pool, "select meet()");

        StepVerifier.create(Mono.zip(meet, meet, Long::sum).subscribeOn(Schedulers.parallel()))
                .expectNext(2L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void interdependentStatementsFromOneBlockingThreadBothComplete() {
        StepVerifier.create(Sql.execute(pool, "create alias meet for \"dev.r2dbcengine.BlockingDriverTest.meet\""))
                .verifyComplete();
        Mono<Long> meet = Sql.number(pool, "select meet()");

        StepVerifier.create(Mono.zip(meet, meet, Long::sum))
                .expectNext(2L)
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void lockConflictOnOneEventLoopIsResolvedByCommit() {
        Sinks.Empty<Void> updated = Sinks.empty();
        Mono<Void> first = transaction(connection -> run(connection, "update t set n = n + 1 where id = 1")
                .doOnSuccess(done -> updated.tryEmitEmpty())
                .then(awaitBlockedSession()));
        Mono<Void> second = updated.asMono()
                .then(transaction(connection -> run(connection, "update t set n = n + 10 where id = 1")));

        Mono<Void> both = Mono.when(first.subscribeOn(Schedulers.single()), second.subscribeOn(Schedulers.single()));

        StepVerifier.create(both).expectComplete().verify(LONG);
        StepVerifier.create(Sql.number(pool, "select n from t where id = 1"))
                .expectNext(11L)
                .verifyComplete();
    }

    private Mono<Void> awaitBlockedSession() {
        return Sql.number(pool, "select count(*) from information_schema.sessions where blocker_id is not null")
                .filter(blocked -> blocked > 0)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10)))
                .then();
    }

    private Mono<Void> transaction(java.util.function.Function<Connection, Mono<Void>> body) {
        return Mono.usingWhen(
                pool.create(),
                connection -> hop(connection.beginTransaction())
                        .then(Mono.defer(() -> body.apply(connection)))
                        .then(Mono.defer(() -> hop(connection.commitTransaction()))),
                Connection::close);
    }

    /** Subscribes on the event loop. */
    private static Mono<Void> hop(Publisher<Void> call) {
        return Mono.fromDirect(call).subscribeOn(Schedulers.single());
    }

    private static Mono<Void> run(Connection connection, String sql) {
        return Flux.from(connection.createStatement(sql).execute())
                .concatMap(Result::getRowsUpdated)
                .subscribeOn(Schedulers.single())
                .then();
    }

    @Test
    void everyCallIsAllowedOnEventLoop() {
        Connection connection = Objects.requireNonNull(pool.create().block(LONG));
        List<Publisher<?>> calls = List.of(
                connection.validate(ValidationDepth.REMOTE),
                connection.setAutoCommit(false),
                connection.setAutoCommit(true),
                connection.setLockWaitTimeout(Duration.ofSeconds(15)),
                connection.setStatementTimeout(Duration.ofSeconds(15)),
                connection.beginTransaction(),
                connection.createSavepoint("a"),
                connection.rollbackTransactionToSavepoint("a"),
                connection.createSavepoint("b"),
                connection.releaseSavepoint("b"),
                connection.commitTransaction(),
                connection.beginTransaction(IsolationLevel.READ_COMMITTED),
                connection.rollbackTransaction(),
                Flux.from(connection
                                .createBatch()
                                .add("update t set n = 5")
                                .add("select 1")
                                .execute())
                        .concatMap(result -> result.map(row -> row.get(0))),
                Flux.from(connection
                                .createStatement("insert into t values ($1, $2)")
                                .returnGeneratedValues("id")
                                .fetchSize(10)
                                .bind("$1", 7)
                                .bindNull("$2", Integer.class)
                                .add()
                                .bind(0, 8)
                                .bindNull(1, Integer.class)
                                .execute())
                        .concatMap(result -> result.map((row, metadata) -> row.get("id"))),
                Flux.from(connection.createStatement("select id from t").execute())
                        .concatMap(result -> result.filter(Result.RowSegment.class::isInstance)
                                .flatMap(segment -> Mono.just(segment))),
                connection.close());

        for (Publisher<?> call : calls) {
            StepVerifier.create(
                            Flux.from(call).subscribeOn(Schedulers.parallel()).then())
                    .expectComplete()
                    .verify(LONG);
        }
    }

    @Test
    void rowsRequestedOnEventLoopAreReadOnWorker() {
        Connection connection = Objects.requireNonNull(pool.create().block(LONG));
        Flux<String> threads = Flux.from(connection
                        .createStatement("select x from system_range(1, 500)")
                        .execute())
                .concatMap(result -> result.map(row -> Thread.currentThread().getName()))
                .subscribeOn(Schedulers.parallel())
                .publishOn(Schedulers.parallel(), 16)
                .limitRate(16);

        StepVerifier.create(threads.distinct())
                .assertNext(name -> assertThat(name).startsWith("r2dbc-engine-worker-"))
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(connection.close()).verifyComplete();
    }

    @Test
    void cancelledRowStreamLeavesConnectionUsable() {
        Connection connection = Objects.requireNonNull(pool.create().block(LONG));
        Flux<Object> rows = Flux.from(connection
                        .createStatement("select x from system_range(1, 500)")
                        .execute())
                .concatMap(result -> result.map(row -> Objects.requireNonNull(row.get(0))))
                .subscribeOn(Schedulers.parallel());

        StepVerifier.create(rows, 1).expectNext(1L).thenCancel().verify(LONG);
        StepVerifier.create(Flux.from(connection.createStatement("select 5").execute())
                        .concatMap(result -> result.map(row -> row.get(0)))
                        .subscribeOn(Schedulers.parallel()))
                .expectNext(5)
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(connection.close()).verifyComplete();
    }

    @Test
    void driverErrorReachesEventLoopUnchanged() {
        Connection connection = Objects.requireNonNull(pool.create().block(LONG));

        StepVerifier.create(Flux.from(connection.createStatement("no sql").execute())
                        .concatMap(Result::getRowsUpdated)
                        .subscribeOn(Schedulers.parallel()))
                .expectError(R2dbcException.class)
                .verify(LONG);
        StepVerifier.create(connection.close()).verifyComplete();
    }

    @Test
    void closedConnectionSignalsError() {
        Connection connection = Objects.requireNonNull(cache.engine("r2dbc:h2:mem:///;LOCK_TIMEOUT=60000")
                .openConnection()
                .block(LONG));
        StepVerifier.create(connection.close()).verifyComplete();

        StepVerifier.create(Mono.from(connection.beginTransaction()).subscribeOn(Schedulers.parallel()))
                .expectErrorMessage("The connection is closed")
                .verify(LONG);
    }

    @Test
    void connectionUnwrapsToDriverConnection() {
        Connection connection = Objects.requireNonNull(pool.create().block(LONG));

        assertThat(((Wrapped<?>) connection).unwrap(H2Connection.class)).isNotNull();
        assertThat(((Wrapped<?>) connection).unwrap(String.class)).isNull();
        assertThat(connection.getMetadata().getDatabaseProductName()).isEqualTo("H2");
        assertThat(connection.isAutoCommit()).isTrue();
        assertThat(connection.getTransactionIsolationLevel()).isEqualTo(IsolationLevel.READ_COMMITTED);
        StepVerifier.create(connection.close()).verifyComplete();
    }
}
