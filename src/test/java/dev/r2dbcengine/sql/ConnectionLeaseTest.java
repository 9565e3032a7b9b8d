package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.CapturedLogs;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import dev.r2dbcengine.testing.Proof;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.ContextView;

class ConnectionLeaseTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String SQL = "select n";

    private final FakeDriver driver = new FakeDriver().withBarePublishers();
    private final FactorySource source = new FactorySource(driver);

    ConnectionLeaseTest() {
        driver.answer(SQL, 5, i -> FakeRow.of("n", i));
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(driver.openConnections()).isZero();
        assertThat(driver.violations()).isEmpty();
        assertThat(driver.calls()).noneMatch(call -> call.contains("cancel execute") || call.contains("cancel rows"));
        assertThat(driver.calls()).noneMatch(call -> call.contains("cancel close"));
    }

    /** The two ways to run a statement. */
    enum Way {
        ONE,
        ROWS;

        Flux<Integer> run(ConnectionSource source, Function<Connection, Publisher<Integer>> statement) {
            return this == ONE ? source.<Integer>one(statement).flux() : source.rows(statement);
        }
    }

    private static Flux<Integer> rows(Connection connection) {
        return Flux.from(connection.createStatement(SQL).execute())
                .concatMap(result -> result.map((row, metadata) -> row.get(0, Integer.class)));
    }

    private static Flux<Integer> count(Connection connection) {
        return rows(connection).count().map(Long::intValue).flux();
    }

    private static Publisher<Integer> statement(Way way, Connection connection) {
        return way == Way.ONE ? count(connection) : rows(connection);
    }

    private Flux<Integer> run(Way way) {
        return way.run(source, connection -> statement(way, connection));
    }

    @Test
    void valueIsEmittedAfterRelease() {
        AtomicInteger open = new AtomicInteger(-1);
        StepVerifier.create(source.one(ConnectionLeaseTest::count).doOnNext(n -> open.set(driver.openConnections())))
                .expectNext(5)
                .verifyComplete();
        assertThat(open).hasValue(0);
        assertThat(source.outcomes()).containsExactly(Outcome.KEEP);
    }

    @Test
    void rowsPassAsTheyAreAskedForAndTheEndComesWhenTheConnectionIsBack() {
        AtomicInteger open = new AtomicInteger(-1);
        StepVerifier.create(
                        source.rows(ConnectionLeaseTest::rows).doOnComplete(() -> open.set(driver.openConnections())),
                        0)
                .expectSubscription()
                .thenRequest(2)
                .expectNext(0, 1)
                .then(() -> assertThat(driver.rowsEmitted()).isEqualTo(2))
                .thenRequest(3)
                .expectNext(2, 3, 4)
                .verifyComplete();
        assertThat(open).hasValue(0);
    }

    @Test
    void undeliveredValueIsDiscarded() {
        List<Integer> discarded = new CopyOnWriteArrayList<>();
        StepVerifier.create(source.one(ConnectionLeaseTest::rows).doOnDiscard(Integer.class, discarded::add))
                .verifyErrorMessage("The statement was to have one value and had more: let it have one, or use"
                        + " ConnectionSource.rows(…)");
        assertThat(discarded).containsExactly(1, 2, 3, 4, 0);

        discarded.clear();
        StepVerifier.create(source.rows(ConnectionLeaseTest::rows).doOnDiscard(Integer.class, discarded::add), 1)
                .expectNext(0)
                .thenCancel()
                .verify(LONG);
        assertThat(discarded).containsExactly(1, 2, 3, 4);

        discarded.clear();
        FakeGate gate = driver.on(Call.CLOSE).times(1).waits();
        Disposable subscriber = source.one(connection -> Mono.just(5))
                .doOnDiscard(Integer.class, discarded::add)
                .subscribe();
        subscriber.dispose();
        gate.release();
        assertThat(discarded).containsExactly(5);
    }

    @Test
    void valueWaitsForDemand() {
        StepVerifier.create(source.one(ConnectionLeaseTest::count), 0)
                .expectSubscription()
                .expectNoEvent(Duration.ofMillis(1))
                .then(() -> assertThat(driver.openConnections()).isZero())
                .thenRequest(1)
                .expectNext(5)
                .verifyComplete();
        StepVerifier.create(source.one(ConnectionLeaseTest::count), 0)
                .thenCancel()
                .verify();
    }

    @ParameterizedTest
    @EnumSource
    void emptyStatementCompletesEmpty(Way way) {
        StepVerifier.create(way.run(source, connection -> Flux.empty())).verifyComplete();
    }

    @ParameterizedTest
    @EnumSource
    void cancelBeforeConnectionWithdrawsRequest(Way way) {
        driver.on(Call.CREATE).times(1).neverAnswers();
        StepVerifier.create(run(way)).thenCancel().verify();
        assertThat(driver.calls()).containsExactly("1 create", "1 cancel create");
    }

    @ParameterizedTest
    @EnumSource
    void nothingHappensBeforeSubscription(Way way) {
        Flux<Integer> twice = run(way);
        assertThat(driver.createdConnections()).isZero();
        StepVerifier.create(twice.then()).verifyComplete();
        StepVerifier.create(twice.then()).verifyComplete();
        assertThat(driver.createdConnections()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void exceptionOfStatementIsErrorAndConnectionIsReleased(Way way) {
        StepVerifier.create(way.run(source, connection -> {
                    throw new IllegalStateException("mine");
                }))
                .verifyErrorMessage("mine");
        driver.on(Call.EXECUTE).throwsAtOnce(new IllegalStateException("driver"));
        StepVerifier.create(run(way)).verifyErrorMessage("driver");
        assertThat(source.outcomes()).containsExactly(Outcome.KEEP, Outcome.KEEP);
    }

    @ParameterizedTest
    @EnumSource
    void errorIsEmittedUnchangedAfterRelease(Way way) {
        IllegalStateException failure = new IllegalStateException("driver");
        FakeGate gate = driver.on(Call.ROWS).afterRows(2).fails(failure).waits();
        StepVerifier.create(run(way).doOnError(
                                e -> assertThat(driver.openConnections()).isZero()))
                .expectSubscription()
                .expectNextCount(way == Way.ROWS ? 2 : 0)
                .then(gate::release)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
                .verify(LONG);
    }

    @ParameterizedTest
    @EnumSource
    void lostConnectionIsDiscarded(Way way) {
        List<Throwable> lost = List.of(
                new R2dbcNonTransientResourceException("gone", "08006"),
                new R2dbcTransientResourceException("replaced by the driver", "25S03"),
                new SocketException("reset"),
                new LinkageError());
        for (Throwable failure : lost) {
            driver.on(Call.EXECUTE).times(1).fails(failure);
            StepVerifier.create(run(way))
                    .expectErrorSatisfies(e -> assertThat(e instanceof FatalErrorException ? e.getCause() : e)
                            .isSameAs(failure))
                    .verify();
        }
        assertThat(source.outcomes()).hasSameSizeAs(lost).containsOnly(Outcome.DISCARD);
    }

    @ParameterizedTest
    @EnumSource
    void failedAcquisitionIsTheError(Way way) {
        driver.on(Call.CREATE).times(1).fails(new IllegalStateException("no connection"));
        StepVerifier.create(run(way)).verifyErrorMessage("no connection");
        driver.on(Call.CREATE).times(1).throwsAtOnce(new IllegalStateException("at once"));
        StepVerifier.create(run(way)).verifyErrorMessage("at once");
        driver.on(Call.CREATE).times(1).completesEmpty();
        StepVerifier.create(run(way))
                .verifyErrorMessage(
                        "The connection source completed without a connection: its borrow() has to emit one, or to fail");
        assertThat(source.outcomes()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void failedReleaseKeepsValueAndIsSuppressedInError(Way way) {
        FakeDriver broken = new FakeDriver();
        broken.answer(SQL, 5, i -> FakeRow.of("n", i));
        broken.on(Call.CLOSE).fails(new IllegalStateException("secret"));
        Flux<Integer> run = way.run(new FactorySource(broken), connection -> statement(way, connection));
        try (CapturedLogs logs = CapturedLogs.of(ConnectionSource.class)) {
            StepVerifier.create(run).thenConsumeWhile(row -> true).verifyComplete();
            assertThat(logs.lines())
                    .containsExactly("WARN A connection could not be released: java.lang.IllegalStateException");
        }
        broken.on(Call.EXECUTE).fails(new IllegalArgumentException("first"));
        StepVerifier.create(run)
                .expectErrorSatisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .satisfies(also -> assertThat(also).hasMessage("secret")))
                .verify();
        RuntimeException both = new IllegalArgumentException("of a driver that tells it twice");
        broken.behaveOrdinarily();
        broken.on(Call.CLOSE).fails(both);
        broken.on(Call.EXECUTE).fails(both);
        StepVerifier.create(run)
                .expectErrorSatisfies(e -> assertThat(e).isSameAs(both).hasNoSuppressedExceptions())
                .verify(LONG);
    }

    /** Where a subscriber may leave. */
    enum Point {
        BORROWING,
        BORROWED_TOO_LATE,
        EXECUTING,
        READING,
        GIVING_BACK
    }

    static Stream<Arguments> points() {
        return Stream.of(Way.values()).flatMap(way -> Stream.of(Point.values()).map(point -> Arguments.of(way, point)));
    }

    @ParameterizedTest
    @MethodSource("points")
    void whoeverLeavesAtAnyPointLeavesNothingBehind(Way way, Point point) {
        FakeGate gate = switch (point) {
            case BORROWING -> driver.on(Call.CREATE).waits();
            case BORROWED_TOO_LATE -> driver.on(Call.CREATE).ignoresCancel().waits();
            case EXECUTING -> driver.on(Call.EXECUTE).waits();
            case READING -> driver.on(Call.ROWS).afterRows(2).waits();
            case GIVING_BACK -> driver.on(Call.CLOSE).waits();
        };
        List<Integer> seen = new CopyOnWriteArrayList<>();
        Disposable subscriber = run(way).subscribe(seen::add);
        StepVerifier.create(gate.reached()).expectComplete().verify(LONG);
        int before = seen.size();
        subscriber.dispose();
        gate.release();
        assertThat(seen).hasSize(before);
        assertThat(driver.openConnections()).isZero();
        boolean ran = point.compareTo(Point.EXECUTING) >= 0;
        assertThat(driver.rowsEmitted()).isEqualTo(ran ? 5 : 0);
        assertThat(driver.executions()).isEqualTo(ran ? 1 : 0);
    }

    @Test
    void remainingRowsAreReadAfterCancel() {
        StepVerifier.create(source.rows(ConnectionLeaseTest::rows), 1)
                .expectNext(0)
                .thenCancel()
                .verify();
        assertThat(driver.rowsEmitted()).isEqualTo(5);
        StepVerifier.create(source.rows(ConnectionLeaseTest::rows).take(2))
                .expectNext(0, 1)
                .verifyComplete();
    }

    @ParameterizedTest
    @EnumSource
    void unobservedFailureIsLoggedWithoutDriverMessage(Way way) {
        try (CapturedLogs logs = CapturedLogs.of(ConnectionSource.class)) {
            FakeGate gate = driver.on(Call.EXECUTE)
                    .fails(new R2dbcNonTransientResourceException("secret", "08006", 7))
                    .waits();
            Disposable subscriber = run(way).subscribe();
            subscriber.dispose();
            gate.release();
            assertThat(logs.lines())
                    .containsExactly("WARN A statement failed after its subscriber had cancelled:"
                            + " io.r2dbc.spi.R2dbcNonTransientResourceException, code 7, SQLSTATE 08006");
        }
        assertThat(source.outcomes()).containsExactly(Outcome.DISCARD);
    }

    @ParameterizedTest
    @EnumSource
    void cancelDuringAcquisitionNeverLeaksOrRunsHalf(Way way) throws InterruptedException {
        for (int i = 0; i < Proof.rounds(3_000, 10_000); i++) {
            FakeGate gate = driver.on(Call.CREATE).times(1).ignoresCancel().waits();
            Disposable subscriber = run(way).subscribe();
            CountDownLatch both = new CountDownLatch(2);
            race(gate::release, both);
            race(subscriber::dispose, both);
            both.await();
        }
        assertThat(driver.createdConnections()).isEqualTo(driver.closedConnections());
        assertThat(source.outcomes()).hasSize(driver.createdConnections());
    }

    private static void race(Runnable step, CountDownLatch both) {
        Schedulers.parallel().schedule(() -> {
            step.run();
            both.countDown();
        });
    }

    @Test
    void demandFromAnotherThreadIsNeverLostOrDoubled() {
        driver.answer(SQL, 2_000, i -> FakeRow.of("n", i));
        for (int i = 0; i < Proof.rounds(50, 2_000); i++) {
            StepVerifier.create(source.rows(ConnectionLeaseTest::rows)
                            .limitRate(7)
                            .publishOn(Schedulers.parallel(), 3)
                            .count())
                    .expectNext(2_000L)
                    .expectComplete()
                    .verify(LONG);
        }
    }

    @Test
    void contextReachesAcquisitionStatementAndRelease() {
        AtomicReference<String> seen = new AtomicReference<>("");
        ConnectionSource contextual = new ConnectionSource() {
            @Override
            public Mono<Connection> borrow() {
                return Mono.deferContextual(context -> note(context.get("who"), source.borrow()));
            }

            @Override
            public Mono<Void> giveBack(Connection connection, Outcome outcome) {
                return Mono.deferContextual(context -> note(context.get("who"), source.giveBack(connection, outcome)));
            }

            @Override
            public Mono<Connection> openUnpooled() {
                return source.openUnpooled();
            }

            @Override
            public Object identity(ContextView context) {
                return this;
            }

            private <T> Mono<T> note(String who, Mono<T> then) {
                seen.updateAndGet(before -> before + who);
                return then;
            }
        };
        Mono<Integer> one = contextual.one(connection -> Mono.deferContextual(context -> {
            seen.updateAndGet(before -> before + context.get("who"));
            return Mono.just(1);
        }));
        StepVerifier.create(one.contextWrite(context -> context.put("who", "me.")))
                .expectNext(1)
                .verifyComplete();
        assertThat(seen).hasValue("me.me.me.");
    }

    @Test
    void publisherThatThrowsOnSubscribeIsError() {
        StepVerifier.create(source.<Integer>rows(connection -> subscriber -> {
                    throw new IllegalStateException("at subscription");
                }))
                .verifyErrorMessage("at subscription");
    }

    @Test
    void secondTerminationReleasesConnectionOnce() {
        TestPublisher<Integer> rude = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        StepVerifier.create(source.<Integer>rows(connection -> rude))
                .then(rude::complete)
                .then(rude::complete)
                .verifyComplete();
        assertThat(source.outcomes()).hasSize(1);
    }
}
