package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Conflicting units on every real database: one of two fails and may be retried. */
abstract class RetriedUnitsContract {
    static final Duration LONG = Duration.ofSeconds(60);
    private static final int ACCOUNTS = 10;
    static final long EACH = 1_000;
    static final RetryPolicy MANY = RetryPolicy.times(50).pauses(Duration.ofMillis(5), Duration.ofMillis(200));

    private final Server server;
    final RecordedUnits units = new RecordedUnits();
    private final ReactiveEngineCache engines =
            ReactiveEngineCache.builder().listener(units).build();
    final List<ErrorKind> kinds = new CopyOnWriteArrayList<>();
    private TestDatabase database;
    private Dialect dialect;
    Engine engine;

    @SuppressWarnings("NullAway.Init") // before each test
    RetriedUnitsContract(Server server) {
        this.server = server;
    }

    /** Returns units that fail instead of overwriting a concurrent change. */
    UnitOfWork isolatedUnit() {
        return engine.unitOfWork().isolation(IsolationLevel.SERIALIZABLE);
    }

    @BeforeEach
    void setUp() {
        database = TestDatabase.fresh(server).keepAlive();
        engine = engines.engine(database.url());
        dialect = Objects.requireNonNull(engine.dialect().block(LONG));
        database.execute(
                        "create table account (id int primary key, balance bigint)",
                        "create table log (text varchar(60))")
                .block(LONG);
        Flux.range(0, ACCOUNTS)
                .concatMap(i -> engine.sql("insert into account (id, balance) values (:id, " + EACH + ")")
                        .bind("id", i)
                        .update())
                .blockLast(LONG);
    }

    @AfterEach
    void everyTransactionEndedOnce() {
        StepVerifier.create(engines.close()).expectComplete().verify(LONG);
        assertThat(units.count("committed") + units.count("rolled back"))
                .as("ends, of %s", units.events())
                .isEqualTo(units.count("began"));
        assertThat(units.events()).doesNotContain("in doubt");
        database.close();
    }

    static Mono<Long> add(Work work, int account, long amount) {
        return work.sql("update account set balance = balance + :amount where id = :id")
                .bind("amount", amount)
                .bind("id", account)
                .update();
    }

    static Mono<Long> log(Work work, String text) {
        return work.sql("insert into log (text) values (:text)")
                .bind("text", text)
                .update();
    }

    final List<String> logged() {
        return Objects.requireNonNull(database.query("select text from log order by text", String.class)
                .block(LONG));
    }

    final List<Long> balances() {
        return Objects.requireNonNull(database.query("select balance from account order by id", Long.class)
                .block(LONG));
    }

    /* Reads a row, lets another unit change and commit it, and then writes the row. */
    final Mono<Long> conflict(Work work) {
        Mono<Long> other = isolatedUnit()
                .propagation(Propagation.REQUIRES_NEW)
                .name("other")
                .execute(inner -> add(inner, 0, 1));
        return balance(work, 0).then(other).then(add(work, 0, 1));
    }

    final ErrorKind kindOf(Throwable e) {
        return dialect.kindOf(e);
    }

    @Test
    void conflictWithoutRetryFailsWithDriverError() {
        StepVerifier.create(isolatedUnit().execute(work -> log(work, "gone").then(conflict(work))))
                .expectErrorSatisfies(e -> {
                    assertThat(e).isInstanceOf(R2dbcException.class);
                    assertThat(e.getSuppressed()).isEmpty();
                    kinds.add(kindOf(e));
                })
                .verify(LONG);

        assertThat(kinds).hasSize(1).isSubsetOf(ErrorKind.SERIALIZATION_FAILURE, ErrorKind.DEADLOCK);
        assertThat(logged()).isEmpty();
        assertThat(units.events()).containsExactly("began", "began", "committed", "rolled back");
    }

    @Test
    void conflictWithRetryRunsUnitAgain() {
        AtomicInteger attempts = new AtomicInteger();

        StepVerifier.create(isolatedUnit().retry(MANY).execute(work -> {
                    int attempt = attempts.incrementAndGet();
                    return log(work, "attempt " + attempt).then(attempt < 3 ? conflict(work) : add(work, 0, 1));
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(logged()).containsExactly("attempt 3");
        assertThat(balances()).startsWith(EACH + 3, EACH);
        assertThat(units.events())
                .contains("retrying after 1", "retrying after 2")
                .doesNotContain("retrying after 3");
    }

    @Test
    void conflictInNestedUnitRetriesOwnerOnly() {
        AtomicInteger owners = new AtomicInteger();
        AtomicInteger nested = new AtomicInteger();
        UnitOfWork inner = isolatedUnit().propagation(Propagation.NESTED).retry(MANY);

        StepVerifier.create(isolatedUnit().retry(MANY).execute(work -> {
                    int attempt = owners.incrementAndGet();
                    return log(work, "outer " + attempt).then(inner.execute(within -> {
                        nested.incrementAndGet();
                        return log(within, "inner " + attempt).then(attempt == 1 ? conflict(within) : Mono.just(1L));
                    }));
                }))
                .expectNext(1L)
                .expectComplete()
                .verify(LONG);

        assertThat(owners).hasValue(2);
        assertThat(nested).hasValue(2);
        assertThat(logged()).containsExactly("inner 2", "outer 2");
        assertThat(units.count("retrying after 1")).isOne();
    }

    @Test
    void conflictInNestedUnitOfOwnerWithoutRetryIsPassedOn() {
        UnitOfWork inner = isolatedUnit().propagation(Propagation.NESTED).retry(MANY);

        StepVerifier.create(isolatedUnit().execute(work -> log(work, "outer").then(inner.execute(this::conflict))))
                .expectErrorSatisfies(e -> kinds.add(kindOf(e)))
                .verify(LONG);

        assertThat(kinds).hasSize(1).isSubsetOf(ErrorKind.SERIALIZATION_FAILURE, ErrorKind.DEADLOCK);
        assertThat(logged()).isEmpty();
    }

    @Test
    void bodySwallowingConflictIsCommittedWhollyOrNotAtAll() {
        isolatedUnit()
                .execute(work -> log(work, "before")
                        .then(conflict(work)
                                .doOnError(e -> kinds.add(kindOf(e)))
                                .onErrorReturn(0L))
                        .then(log(work, "after")))
                .onErrorReturn(0L)
                .block(LONG);

        assertThat(kinds).hasSize(1).isSubsetOf(ErrorKind.SERIALIZATION_FAILURE, ErrorKind.DEADLOCK);
        assertThat(balances()).as("of the other unit").startsWith(EACH + 1);
        assertThat(logged()).isIn(List.of(), List.of("after", "before"));
    }

    @Test
    void committedUnitIsNeverRetried() {
        UnitOfWork lenient = engine.unitOfWork().retry(MANY).rollbackOn(e -> false);

        StepVerifier.create(lenient.execute(work -> log(work, "once")
                        .then(isolatedUnit()
                                .propagation(Propagation.REQUIRES_NEW)
                                .execute(this::conflict))))
                .expectErrorSatisfies(e -> kinds.add(kindOf(e)))
                .verify(LONG);

        assertThat(kinds).hasSize(1).isSubsetOf(ErrorKind.SERIALIZATION_FAILURE, ErrorKind.DEADLOCK);
        assertThat(logged()).containsExactly("once");
    }

    @Test
    void concurrentTransfersKeepTotalAndReportEachRetry() {
        Random random = new Random(7);
        AtomicInteger attempts = new AtomicInteger();
        UnitOfWork transfers = isolatedUnit().retry(MANY);

        Flux<Long> all = Flux.range(0, 200)
                .flatMap(
                        i -> {
                            int from = random.nextInt(ACCOUNTS);
                            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                            return transfers
                                    .execute(work -> {
                                        attempts.incrementAndGet();
                                        return transfer(work, from, to, 1 + i % 50);
                                    })
                                    .subscribeOn(Schedulers.boundedElastic());
                        },
                        200);

        StepVerifier.create(all.count()).expectNext(200L).expectComplete().verify(LONG);
        assertThat(balances().stream().mapToLong(Long::longValue).sum()).isEqualTo(ACCOUNTS * EACH);
        assertThat(units.count("committed")).isEqualTo(200);
        assertThat(units.events().stream().filter(event -> event.startsWith("retrying")))
                .as("retries")
                .isNotEmpty()
                .hasSize(attempts.get() - 200);
    }

    /* Read-modify-write: two concurrent transfers lose an update unless one of them fails. */
    private static Mono<Long> transfer(Work work, int from, int to, long amount) {
        return balance(work, from)
                .zipWith(balance(work, to))
                .flatMap(both -> set(work, from, both.getT1() - amount).then(set(work, to, both.getT2() + amount)));
    }

    private static Mono<Long> balance(Work work, int account) {
        return work.sql("select balance from account where id = :id")
                .bind("id", account)
                .map(Long.class)
                .one();
    }

    private static Mono<Long> set(Work work, int account, long balance) {
        return work.sql("update account set balance = :balance where id = :id")
                .bind("balance", balance)
                .bind("id", account)
                .update();
    }

    @Test
    void lastFailureSuppressesEarlierOnes() {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        UnitOfWork unit = isolatedUnit().retry(RetryPolicy.times(2).pauses(Duration.ZERO, Duration.ZERO));

        StepVerifier.create(unit.execute(
                        work -> log(work, "attempt").then(conflict(work)).doOnError(failures::add)))
                .expectErrorSatisfies(e -> {
                    assertThat(failures).hasSize(3);
                    assertThat(e).isSameAs(failures.get(2));
                    assertThat(e.getSuppressed()).containsExactly(failures.get(0), failures.get(1));
                })
                .verify(LONG);

        assertThat(logged()).isEmpty();
        assertThat(units.events())
                .contains("retrying after 1", "retrying after 2")
                .doesNotContain("retrying after 3");
    }
}
