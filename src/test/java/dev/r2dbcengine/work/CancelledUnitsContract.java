package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.RandomCancels;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Runs thousands of units of two inserts on a pool of four connections, and cancels most of them at a random time. */
abstract class CancelledUnitsContract {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int CONCURRENCY = 8;
    private static final int POOL = 4;

    private final Server server;
    private final Outcomes outcomes = new Outcomes();
    private ReactiveEngineCache engines;
    private TestDatabase database;
    private Engine engine;

    @SuppressWarnings("NullAway.Init") // before each test
    CancelledUnitsContract(Server server) {
        this.server = server;
    }

    @BeforeEach
    void setUp() {
        database = TestDatabase.fresh(server).keepAlive();
        database.execute(
                        "create table part (unit varchar(20), no int)",
                        "create table number (n bigint primary key)",
                        "insert into number values "
                                + String.join(
                                        ",",
                                        IntStream.range(0, 100)
                                                .mapToObj(n -> "(" + n + ")")
                                                .toList()))
                .block(LONG);
        engines = ReactiveEngineCache.builder()
                .settings(EngineSettings.builder().maxSize(POOL).build())
                .closeTimeout(Duration.ofSeconds(2))
                .listener(outcomes)
                .build();
        engine = engines.engine(database.url());
    }

    @AfterEach
    void close() {
        StepVerifier.create(engines.close()).expectComplete().verify(LONG);
        database.close();
    }

    /** The use that a body makes of its connection. */
    enum Body {
        STATEMENTS {
            @Override
            Mono<Long> run(Work work, String unit) {
                return insert(work, unit, 1).then(insert(work, unit, 2));
            }
        },
        WITH_OPEN_ROW_STREAM {
            @Override
            Mono<Long> run(Work work, String unit) {
                Flux<Long> numbers = work.sql("select n from number order by n")
                        .fetchSize(10)
                        .map(Long.class)
                        .all();
                return insert(work, unit, 1)
                        .thenMany(numbers.concatMap(n -> n == 50 ? insert(work, unit, 2) : Mono.empty()))
                        .single();
            }
        },
        ON_GUARDED_CONNECTION {
            @Override
            Mono<Long> run(Work work, String unit) {
                return work.connection()
                        .flatMap(connection -> raw(connection, unit, 1).then(raw(connection, unit, 2)));
            }
        },
        WITH_SETTINGS {
            @Override
            UnitOfWork configure(UnitOfWork unit) {
                return unit.isolation(IsolationLevel.SERIALIZABLE).lockWaitTimeout(Duration.ofSeconds(7));
            }

            @Override
            Mono<Long> run(Work work, String unit) {
                return STATEMENTS.run(work, unit);
            }
        };

        UnitOfWork configure(UnitOfWork unit) {
            return unit;
        }

        abstract Mono<Long> run(Work work, String unit);
    }

    private static Mono<Long> insert(Work work, String unit, int no) {
        return work.sql("insert into part (unit, no) values (:unit, :no)")
                .bind("unit", unit)
                .bind("no", no)
                .update();
    }

    private static Mono<Long> raw(Connection connection, String unit, int no) {
        return Flux.from(connection
                        .createStatement("insert into part (unit, no) values ('" + unit + "', " + no + ")")
                        .execute())
                .concatMap(result -> result.getRowsUpdated())
                .single();
    }

    private Mono<Long> unitOfWork(Body body, String unit) {
        return body.configure(engine.unitOfWork()).name(unit).execute(work -> body.run(work, unit));
    }

    /* Careful hand-written code: begin, commit or roll back, then release, in this order. */
    private static Mono<Long> handWritten(ConnectionPool pool, String unit) {
        return Flux.usingWhen(
                        pool.create(),
                        connection -> Mono.from(connection.beginTransaction())
                                .then(raw(connection, unit, 1))
                                .then(raw(connection, unit, 2)),
                        connection -> Mono.from(connection.commitTransaction()).then(Mono.from(connection.close())),
                        (connection, e) ->
                                Mono.from(connection.rollbackTransaction()).then(Mono.from(connection.close())),
                        connection ->
                                Mono.from(connection.rollbackTransaction()).then(Mono.from(connection.close())))
                .single();
    }

    @ParameterizedTest
    @EnumSource
    void cancelledUnitIsCommittedWhollyOrNotAtAll(Body body) {
        List<String> settings = Sessions.settings(server, engine, POOL);
        Tally tally = run(Proof.rounds(body == Body.STATEMENTS ? 3_000 : 700, 20_000), unit -> unitOfWork(body, unit));
        Proof.figure(server + ", " + body + ": " + tally);

        assertThat(outcomes.rolledBack).as("cancelled after they began").hasSizeGreaterThan(tally.units() / 100);
        assertThat(tally.unseen())
                .as("committed after the subscriber cancelled")
                .isNotEmpty();
        assertThat(tally.half()).as("half committed").isEmpty();
        assertThat(tally.whole()).as("committed").isEqualTo(outcomes.committed).containsAll(tally.delivered());
        assertThat(tally.whole()).as("rolled back").doesNotContainAnyElementsOf(outcomes.rolledBack);
        assertThat(outcomes.inDoubt).isEmpty();
        assertThat(outcomes.began.get()).isEqualTo(outcomes.committed.size() + outcomes.rolledBack.size());
        assertThat(tally.failed()).as("failed").isEmpty();
        assertThat(tally.poisoned()).as("open transactions").isZero();
        assertThat(tally.borrowed()).as("never released").isZero();
        assertThat(Sessions.settings(server, engine, POOL))
                .as("settings of the connections")
                .isEqualTo(settings);
    }

    @Test
    @EnabledIfSystemProperty(named = "proof", matches = "true")
    void handWrittenUnitsForComparison() {
        ConnectionPool pool = Objects.requireNonNull(engine.pool().block(LONG));
        Tally handWritten = run(20_000, unit -> handWritten(pool, unit));
        close();
        setUp();
        Tally ours = run(20_000, unit -> unitOfWork(Body.STATEMENTS, unit));

        Proof.figure(server + ", usingWhen:    " + handWritten);
        Proof.figure(server + ", unit of work: " + ours);
        assertThat(ours.half()).isEmpty();
        assertThat(ours.poisoned()).isZero();
        assertThat(ours.borrowed()).as("never released").isZero();
    }

    /**
     * The outcome of the units of one run.
     *
     * @param units their number
     * @param delivered units whose subscriber received a value
     * @param failed units whose subscriber received an error, with that error
     * @param whole units with both rows
     * @param half units with one row
     * @param poisoned transactions still open at the end
     * @param borrowed connections not released at the end
     */
    record Tally(
            int units,
            Set<String> delivered,
            List<String> failed,
            Set<String> whole,
            Set<String> half,
            long poisoned,
            int borrowed) {

        int cancelled() {
            return units - delivered.size() - failed.size();
        }

        Set<String> unseen() {
            Set<String> unseen = new HashSet<>(whole);
            unseen.removeAll(delivered);
            return unseen;
        }

        @Override
        public String toString() {
            return ("%,d units, %,d cancelled, %,d delivered, %,d failed; %,d committed, %d of them unseen,"
                                    + " %d HALF COMMITTED, %d connections")
                            .formatted(
                                    units,
                                    cancelled(),
                                    delivered.size(),
                                    failed.size(),
                                    whole.size(),
                                    unseen().size(),
                                    half.size(),
                                    poisoned)
                    + " with an open transaction, " + borrowed + " never released";
        }
    }

    private Tally run(int units, Function<String, Mono<Long>> unit) {
        RandomCancels cancels = new RandomCancels();
        Set<String> delivered = ConcurrentHashMap.newKeySet();
        List<String> failed = new CopyOnWriteArrayList<>();
        Flux.range(0, units)
                .flatMap(
                        i -> {
                            String name = "u" + i;
                            Mono<Long> run = unit.apply(name)
                                    .subscribeOn(Schedulers.parallel())
                                    .doOnNext(value -> delivered.add(name));
                            return cancels.next(run).onErrorResume(e -> {
                                failed.add(name + ": " + e);
                                return Mono.empty();
                            });
                        },
                        CONCURRENCY)
                .blockLast(Duration.ofMinutes(30));
        int borrowed = settledBorrowed();
        Set<String> first = parts(1);
        Set<String> second = parts(2);
        Set<String> whole = new HashSet<>(first);
        whole.retainAll(second);
        Set<String> half = new HashSet<>(first);
        half.addAll(second);
        half.removeAll(whole);
        return new Tally(units, delivered, failed, whole, half, count(Sessions.openTransactions(server)), borrowed);
    }

    /* Cleanup after a cancellation runs in the background; a connection not released after 20 s is a leak. */
    private int settledBorrowed() {
        return Objects.requireNonNull(Flux.interval(Duration.ofMillis(10))
                .map(tick -> engines.engines().get(0).connections().borrowed())
                .takeUntil(borrowed -> borrowed == 0)
                .takeUntilOther(Mono.delay(Duration.ofSeconds(20)))
                .blockLast());
    }

    private Set<String> parts(int no) {
        return new HashSet<>(
                Objects.requireNonNull(database.query("select unit from part where no = " + no, String.class)
                        .block(LONG)));
    }

    private long count(String query) {
        return Objects.requireNonNull(database.query(query, Long.class).block(LONG))
                .get(0);
    }

    /** The names of the units with each outcome. */
    private static final class Outcomes implements WorkListener {
        final Set<String> committed = ConcurrentHashMap.newKeySet();
        final Set<String> rolledBack = ConcurrentHashMap.newKeySet();
        final Set<String> inDoubt = ConcurrentHashMap.newKeySet();
        final AtomicInteger began = new AtomicInteger();

        @Override
        public void began(WorkExecution unit) {
            began.incrementAndGet();
        }

        @Override
        public void committed(WorkExecution unit, Duration duration) {
            committed.add(unit.name());
        }

        @Override
        public void rolledBack(WorkExecution unit, Duration duration) {
            rolledBack.add(unit.name());
        }

        @Override
        public void inDoubt(WorkExecution unit, Throwable failure) {
            inDoubt.add(unit.name());
        }
    }
}
