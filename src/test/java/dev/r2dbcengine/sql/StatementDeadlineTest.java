package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcNonTransientException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.ContextView;

class StatementDeadlineTest {

    private static final String SQL = "select n";
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final FakeDriver driver = new FakeDriver();
    private final FactorySource source = new FactorySource(driver);
    private final RecordingListener listener = new RecordingListener();
    private final Sinks.Empty<Void> request = Sinks.empty();
    private final Dialect cancelling =
            Dialect.ANSI.toBuilder().cancel(connection -> request.asMono()).build();

    StatementDeadlineTest() {
        driver.answer(SQL, 5, i -> FakeRow.of("n", i));
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(driver.openConnections()).isZero();
    }

    private Flux<Integer> rows(Dialect dialect) {
        return SqlRunner.of(dialect, listener)
                .statement(source, SQL)
                .timeout(TIMEOUT)
                .map(Integer.class)
                .all();
    }

    /** A statement that waits, and then fails as one that was terminated on request. */
    private FakeGate endsAsAsked() {
        return driver.on(Call.EXECUTE)
                .fails(new R2dbcNonTransientException("ended", "57014") {})
                .waits();
    }

    private static Consumer<Throwable> late(boolean closed) {
        return e -> {
            assertThat(e)
                    .isInstanceOf(StatementTimeoutException.class)
                    .hasMessageContaining(
                            closed ? "PT2S and was ended, and its connection closed" : "PT2S and was ended: ")
                    .hasMessageContaining("raise SqlStatement.timeout(…) or let it do less")
                    .hasMessageContaining(SQL);
            assertThat(((StatementTimeoutException) e).timeout()).isEqualTo(TIMEOUT);
            assertThat(((StatementTimeoutException) e).connectionClosed()).isEqualTo(closed);
        };
    }

    @Test
    void statementInTimeIsNotCancelled() {
        StepVerifier.withVirtualTime(() -> rows(Dialect.ANSI))
                .expectNext(0, 1, 2, 3, 4)
                .verifyComplete();
        driver.on(Call.EXECUTE).fails(new IllegalStateException("own"));
        StepVerifier.withVirtualTime(() -> rows(Dialect.ANSI)).verifyErrorMessage("own");
    }

    @Test
    void withoutARequestToCancelTheConnectionIsClosedAndTheListenerToldOnce() {
        driver.on(Call.ROWS).afterRows(2).neverAnswers();
        StepVerifier.withVirtualTime(() -> rows(Dialect.ANSI))
                .expectNext(0, 1)
                .expectNoEvent(TIMEOUT)
                .expectErrorSatisfies(late(true))
                .verify();
        assertThat(source.outcomes()).containsExactly(Outcome.DISCARD);
        assertThat(listener.events())
                .containsExactly("started " + SQL, "failed " + SQL + " R2dbcNonTransientResourceException");
    }

    @Test
    void statementThatObeysCancelRequestKeepsConnection() {
        FakeGate gate = endsAsAsked();
        StepVerifier.withVirtualTime(() -> rows(cancelling))
                .expectSubscription()
                .expectNoEvent(TIMEOUT)
                .then(() -> request.tryEmitEmpty())
                .then(gate::release)
                .expectErrorSatisfies(late(false))
                .verify();
        assertThat(source.outcomes()).containsExactly(Outcome.KEEP);
        assertThat(driver.violations()).isEmpty();
    }

    @Test
    void connectionIsReleasedAfterCancelRequestCompletes() {
        FakeGate gate = endsAsAsked();
        StepVerifier.withVirtualTime(() -> rows(cancelling))
                .expectSubscription()
                .expectNoEvent(TIMEOUT)
                .then(gate::release)
                .expectNoEvent(StatementLimits.GRACE.minusMillis(1))
                .then(() -> assertThat(source.outcomes()).isEmpty())
                .then(() -> request.tryEmitEmpty())
                .expectErrorSatisfies(late(false))
                .verify();
        assertThat(source.outcomes()).containsExactly(Outcome.KEEP);
    }

    @Test
    void lateCancelRequestClosesConnection() {
        FakeGate gate = endsAsAsked();
        StepVerifier.withVirtualTime(() -> rows(cancelling))
                .expectSubscription()
                .expectNoEvent(TIMEOUT)
                .then(gate::release)
                .expectNoEvent(StatementLimits.GRACE)
                .expectErrorSatisfies(late(true))
                .verify();
        assertThat(source.outcomes()).containsExactly(Outcome.DISCARD);
    }

    @Test
    void statementThatIgnoresCancelRequestLosesConnection() {
        driver.on(Call.EXECUTE).neverAnswers();
        StepVerifier.withVirtualTime(() -> rows(cancelling))
                .expectSubscription()
                .expectNoEvent(TIMEOUT.plus(StatementLimits.GRACE))
                .expectErrorSatisfies(late(true))
                .verify();
    }

    @Test
    void immediateTimeoutKeepsGraceTime() {
        driver.on(Call.EXECUTE).neverAnswers();
        try (Clock clock = new Clock(true)) {
            StepVerifier.create(rows(cancelling))
                    .expectSubscription()
                    .then(() -> clock.time.advanceTimeBy(StatementLimits.GRACE))
                    .expectErrorSatisfies(late(true))
                    .verify(Duration.ofSeconds(10));
        }
    }

    private Disposable cancelled(Dialect dialect) {
        driver.on(Call.EXECUTE).neverAnswers();
        Disposable subscriber = SqlRunner.of(dialect, listener)
                .statement(source, SQL)
                .map(Integer.class)
                .all()
                .subscribe();
        subscriber.dispose();
        return subscriber;
    }

    @Test
    void cancelledStatementThatIgnoresTheRequestLosesItsConnectionAfterTwoGraceTimes() {
        try (Clock clock = new Clock(false)) {
            cancelled(cancelling);
            clock.time.advanceTimeBy(StatementLimits.GRACE.minusMillis(1));
            assertThat(request.currentSubscriberCount()).isZero();
            clock.time.advanceTimeBy(Duration.ofMillis(1));
            assertThat(request.currentSubscriberCount()).isOne();
            request.tryEmitEmpty();
            clock.time.advanceTimeBy(StatementLimits.GRACE.minusMillis(1));
            assertThat(source.outcomes()).isEmpty();
            clock.time.advanceTimeBy(Duration.ofMillis(1));
            assertThat(source.outcomes()).containsExactly(Outcome.DISCARD);
            assertThat(clock.timers).isEmpty();
        }
    }

    @Test
    void cancelledStatementWithoutARequestLosesItsConnectionAfterItsGraceTime() {
        try (Clock clock = new Clock(false)) {
            cancelled(Dialect.ANSI);
            clock.time.advanceTimeBy(StatementLimits.GRACE);
            assertThat(source.outcomes()).containsExactly(Outcome.DISCARD);
            assertThat(clock.timers).isEmpty();
        }
    }

    @Test
    void cancelledStatementThatEndsInTimeLeavesAGoodConnectionAndNoTimer() {
        try (Clock clock = new Clock(false)) {
            FakeGate gate = driver.on(Call.EXECUTE).waits();
            SqlRunner.of(cancelling, listener)
                    .statement(source, SQL)
                    .update()
                    .subscribe()
                    .dispose();
            clock.time.advanceTimeBy(StatementLimits.GRACE.minusMillis(1));
            gate.release();
            assertThat(source.outcomes()).containsExactly(Outcome.KEEP);
            assertThat(clock.timers).isEmpty();
            clock.time.advanceTimeBy(StatementLimits.GRACE);
            assertThat(request.currentSubscriberCount()).isZero();
        }
    }

    /** A pending timer would keep the statement and its connection in memory, possibly for hours. */
    @Test
    void noTimerIsLeftBehind() {
        try (Clock clock = new Clock(false)) {
            StepVerifier.create(rows(cancelling)).expectNextCount(5).verifyComplete();
            assertThat(clock.timers).isEmpty();

            driver.on(Call.EXECUTE).times(1).fails(new IllegalStateException("own"));
            StepVerifier.create(rows(cancelling)).verifyErrorMessage("own");
            assertThat(clock.timers).isEmpty();

            FakeGate gate = endsAsAsked();
            StepVerifier.create(rows(cancelling))
                    .then(() -> clock.time.advanceTimeBy(TIMEOUT))
                    .then(() -> request.tryEmitEmpty())
                    .then(gate::release)
                    .expectErrorSatisfies(late(false))
                    .verify();
            assertThat(clock.timers).isEmpty();

            gate = driver.on(Call.EXECUTE)
                    .fails(new IllegalStateException("other"))
                    .waits();
            StepVerifier.create(rows(cancelling))
                    .then(() -> clock.time.advanceTimeBy(TIMEOUT))
                    .then(gate::release)
                    .expectErrorSatisfies(late(true))
                    .verify();
            assertThat(clock.timers).isEmpty();
        }
    }

    /** Time that a test moves. When it is hasty, its first task is done before who has it done knows how to stop it. */
    private static final class Clock implements Scheduler, AutoCloseable {
        final VirtualTimeScheduler time = VirtualTimeScheduler.create();
        final Set<Object> timers = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean hasty;

        Clock(boolean hasty) {
            this.hasty = new AtomicBoolean(hasty);
            Schedulers.setFactory(new Schedulers.Factory() {
                @Override
                public Scheduler newParallel(int parallelism, ThreadFactory threads) {
                    return Clock.this;
                }
            });
        }

        @Override
        public Disposable schedule(Runnable task) {
            return time.schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            Object timer = new Object();
            timers.add(timer);
            Disposable scheduled = time.schedule(
                    () -> {
                        timers.remove(timer);
                        task.run();
                    },
                    delay,
                    unit);
            if (hasty.getAndSet(false)) {
                task.run();
            }
            return () -> {
                timers.remove(timer);
                scheduled.dispose();
            };
        }

        @Override
        public Worker createWorker() {
            return time.createWorker();
        }

        @Override
        public void close() {
            Schedulers.resetFactory();
        }
    }

    @Test
    void failedCancelRequestClosesConnection() {
        driver.on(Call.EXECUTE).neverAnswers();
        Dialect failing = Dialect.ANSI.toBuilder()
                .cancel(connection -> Mono.error(new IllegalStateException("no route")))
                .build();
        StepVerifier.withVirtualTime(() -> rows(failing))
                .expectSubscription()
                .expectNoEvent(TIMEOUT)
                .expectErrorSatisfies(late(true))
                .verify();
    }

    @Test
    void statementThatEndsDuringCancelRequestLosesConnection() {
        FakeGate gate = driver.on(Call.EXECUTE).waits();
        StepVerifier.withVirtualTime(() -> rows(cancelling))
                .expectSubscription()
                .expectNoEvent(TIMEOUT)
                .then(gate::release)
                .expectErrorSatisfies(late(true))
                .verify();
        assertThat(source.outcomes()).containsExactly(Outcome.DISCARD);
    }

    @Test
    void anotherErrorMeanwhileLosesTheConnectionAsWell() {
        FakeGate gate = driver.on(Call.EXECUTE)
                .fails(new IllegalStateException("other"))
                .waits();
        StepVerifier.withVirtualTime(() -> rows(cancelling))
                .expectSubscription()
                .expectNoEvent(TIMEOUT)
                .then(gate::release)
                .expectErrorSatisfies(late(true))
                .verify();
    }

    @Test
    void connectionThatDoesNotCloseIsAbandonedAndReported() {
        driver.on(Call.EXECUTE).neverAnswers();
        driver.on(Call.CLOSE).times(1).neverAnswers();
        StepVerifier.withVirtualTime(() -> rows(Dialect.ANSI))
                .expectSubscription()
                .expectNoEvent(TIMEOUT.plus(StatementLimits.GRACE))
                .expectErrorSatisfies(late(true))
                .verify();
        assertThat(listener.events()).containsExactly("started " + SQL, "failed " + SQL + " StatementTimeoutException");
    }

    @Test
    void timeoutContinuesAfterCancel() {
        driver.on(Call.EXECUTE).neverAnswers();
        StepVerifier.withVirtualTime(() -> rows(Dialect.ANSI)
                        .timeout(Duration.ofSeconds(1), Flux.empty())
                        .concatWith(Mono.delay(TIMEOUT).then(Mono.empty())))
                .expectSubscription()
                .thenAwait(Duration.ofSeconds(4))
                .verifyComplete();
        assertThat(source.outcomes()).containsExactly(Outcome.DISCARD);
    }

    @Test
    void limitOfDatabaseIsUsedIfSupported() {
        driver.answer("/*M! SET STATEMENT max_statement_time=2.000 FOR */ " + SQL, FakeRow.of("n", 7));
        StepVerifier.withVirtualTime(() -> rows(Dialect.MARIADB)).expectNext(7).verifyComplete();
    }

    @Test
    void earlyCancelByDatabaseIsNoTimeout() {
        assertThat(Dialect.MARIADB.kindOf(new R2dbcNonTransientException("killed", "70100", 1317) {}))
                .isEqualTo(ErrorKind.CANCELLED);
        driver.on(Call.EXECUTE).fails(new R2dbcNonTransientException("killed", "70100", 1317) {});
        StepVerifier.create(rows(Dialect.MARIADB)).verifyErrorMessage("killed");
    }

    @Test
    void limitOfConnectionIsSetAndRestored() {
        driver.answer(sql -> sql.contains("QUERY_TIMEOUT'"), FakeRow.of("SETTING_VALUE", "77"));
        StepVerifier.create(rows(Dialect.H2)).expectNextCount(5).verifyComplete();
        driver.on(Call.EXECUTE, SQL::equals).fails(new IllegalStateException("own"));
        StepVerifier.create(rows(Dialect.H2)).verifyErrorMessage("own");
        assertThat(driver.calls())
                .filteredOn(call -> call.contains("SET "))
                .containsExactly(
                        "1 execute SET QUERY_TIMEOUT 2000",
                        "1 execute SET QUERY_TIMEOUT 77",
                        "2 execute SET QUERY_TIMEOUT 2000",
                        "2 execute SET QUERY_TIMEOUT 77");
        driver.on(Call.EXECUTE, sql -> sql.endsWith("77")).fails(new IllegalStateException("restore"));
        StepVerifier.create(rows(Dialect.H2))
                .expectErrorSatisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
                .verify();
        assertThat(driver.violations()).isEmpty();
    }

    @Test
    void forwardedCancelEndsStatementInTime() {
        driver.on(Call.ROWS).afterRows(2).neverAnswers();
        ConnectionSource forwarding = new ForwardingSource(source);
        StepVerifier.withVirtualTime(() -> SqlRunner.of(Dialect.ANSI, SqlListener.NONE)
                        .statement(forwarding, SQL)
                        .timeout(TIMEOUT)
                        .map(Integer.class)
                        .all())
                .expectNext(0, 1)
                .thenCancel()
                .verify();
        assertThat(driver.calls()).noneMatch(call -> call.contains("cancel execute"));
    }

    /** As one would write it by hand. */
    private record ForwardingSource(ConnectionSource source) implements ConnectionSource {
        @Override
        public <T> Flux<T> rows(Function<? super Connection, ? extends Publisher<? extends T>> statement) {
            return Flux.usingWhen(borrow(), statement, connection -> giveBack(connection, Outcome.KEEP));
        }

        @Override
        public Mono<Connection> borrow() {
            return source.borrow();
        }

        @Override
        public Mono<Void> giveBack(Connection connection, Outcome outcome) {
            return source.giveBack(connection, outcome);
        }

        @Override
        public Mono<Connection> openUnpooled() {
            return source.openUnpooled();
        }

        @Override
        public Object identity(ContextView context) {
            return source.identity(context);
        }
    }
}
