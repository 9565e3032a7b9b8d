package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The subscriber cancels during each call of the driver: the call completes, and the cleanup follows. */
class UnitOfWorkCancelTest extends FakeUnits {
    private static final String READ = "select name from item";

    private final List<String> seen = new CopyOnWriteArrayList<>();

    /**
     * A call in flight, and the record that is expected.
     *
     * @param earlier the number of calls of this kind before it
     * @param calls all calls that were sent, in order
     */
    private record Point(Call call, int earlier, List<String> calls, String end) {
        Point(Call call, int earlier, String calls, String end) {
            this(call, earlier, List.of(calls.split(", ")), end);
        }
    }

    static Stream<Point> points() {
        String nested = "begin, execute a, savepoint r2dbc_engine_1";
        return Stream.of(
                new Point(Call.BEGIN, 0, "begin, rollback", "rolled back"),
                new Point(Call.EXECUTE, 0, "begin, execute a, rollback", "rolled back"),
                new Point(Call.ROWS, 0, "begin, execute a, rollback", "rolled back"),
                new Point(
                        Call.SAVEPOINT, 0, nested + ", rollback to savepoint r2dbc_engine_1, rollback", "rolled back"),
                new Point(
                        Call.EXECUTE,
                        1,
                        nested + ", execute b, rollback to savepoint r2dbc_engine_1, rollback",
                        "rolled back"),
                new Point(
                        Call.RELEASE_SAVEPOINT,
                        0,
                        nested + ", execute b, release savepoint r2dbc_engine_1, rollback",
                        "rolled back"),
                new Point(
                        Call.EXECUTE,
                        2,
                        nested + ", execute b, release savepoint r2dbc_engine_1, execute " + READ + ", rollback",
                        "rolled back"),
                new Point(
                        Call.ROWS,
                        2,
                        nested + ", execute b, release savepoint r2dbc_engine_1, execute " + READ + ", rollback",
                        "rolled back"),
                new Point(
                        Call.COMMIT,
                        0,
                        nested + ", execute b, release savepoint r2dbc_engine_1, execute " + READ + ", commit",
                        "committed"));
    }

    private Mono<Long> unit() {
        driver.answer(READ, 5, i -> FakeRow.of("name", "n" + i));
        return engine.unitOfWork()
                .execute(work -> work.sql("a")
                        .update()
                        .then(work.savepoint(inner -> inner.sql("b").update()))
                        .thenMany(work.sql(READ).map(String.class).all())
                        .count())
                .doOnNext(value -> seen.add("value"))
                .doOnTerminate(() -> seen.add("end"));
    }

    @ParameterizedTest
    @MethodSource("points")
    void cancelLetsCallInFlightCompleteAndCleansUp(Point point) {
        FakeGate gate = driver.on(point.call()).skip(point.earlier()).times(1).waits();
        Disposable subscriber = unit().subscribe();
        driver.behaveOrdinarily();

        subscriber.dispose();
        gate.release();

        assertCalls(point);
    }

    @ParameterizedTest
    @MethodSource("points")
    void cancelFromWithinCallBehavesTheSame(Point point) {
        BaseSubscriber<Long> subscriber = new BaseSubscriber<>() {};
        driver.on(point.call()).skip(point.earlier()).times(1).runs(subscriber::cancel);

        unit().subscribe(subscriber);

        assertCalls(point);
    }

    private void assertCalls(Point point) {
        assertThat(driver.calls(Call.CREATE, Call.CLOSE, Call.VALIDATE, Call.PREPARE))
                .containsExactlyElementsOf(
                        point.calls().stream().map("1 "::concat).toList());
        assertThat(units.events()).containsExactly("began", point.end());
        assertThat(seen).isEmpty();
    }

    @Test
    void cancelWhileAwaitingConnectionCancelsAcquisition() {
        Connection borrowed = Objects.requireNonNull(
                engine.pool().flatMap(pool -> pool.create()).block(LONG));
        Disposable subscriber = unit().subscribe();
        driver.clear();

        subscriber.dispose();
        Mono.from(borrowed.close()).block(LONG);

        assertThat(driver.calls(Call.VALIDATE)).isEmpty();
        assertThat(units.events()).isEmpty();
    }

    @Test
    void cancelDuringRollbackAwaitsIt() {
        FakeGate gate = driver.on(Call.ROLLBACK).waits();
        Disposable subscriber = engine.unitOfWork()
                .execute(work -> work.sql("a").update().then(Mono.error(new IllegalStateException("on purpose"))))
                .subscribe();

        subscriber.dispose();
        gate.release();

        assertThat(driver.calls(Call.CREATE, Call.VALIDATE)).containsExactly("1 begin", "1 execute a", "1 rollback");
        assertThat(units.events())
                .containsExactly("began", "rolled back", "unit whose subscriber had cancelled failed");
    }

    @Test
    void cancelDuringBeforeCommitHookCancelsHookAndRollsBack() {
        Disposable subscriber = engine.unitOfWork()
                .execute(work -> {
                    work.beforeCommit(Mono.<Void>never().doOnCancel(() -> seen.add("hook cancelled")));
                    return work.sql("a").update();
                })
                .subscribe();

        subscriber.dispose();

        assertThat(seen).containsExactly("hook cancelled");
        assertThat(driver.calls(Call.CREATE, Call.VALIDATE)).containsExactly("1 begin", "1 execute a", "1 rollback");
    }

    @Test
    void cancelDuringBeforeCommitHookReportsBodyFailure() {
        Disposable subscriber = engine.unitOfWork()
                .rollbackOn(e -> false)
                .execute(work -> {
                    work.beforeCommit(Mono.never());
                    return work.sql("a").update().then(Mono.error(new IllegalStateException("on purpose")));
                })
                .subscribe();

        subscriber.dispose();

        assertThat(units.events())
                .containsExactly("began", "rolled back", "unit whose subscriber had cancelled failed");
    }

    @Test
    void cancelDuringAfterCommitHookLetsHooksComplete() {
        Sinks.Empty<Void> slow = Sinks.empty();
        Disposable subscriber = engine.unitOfWork()
                .execute(work -> {
                    work.afterCommit(slow.asMono().doOnCancel(() -> seen.add("hook cancelled")));
                    work.afterCommit(Mono.fromRunnable(() -> seen.add("second")));
                    return work.sql("a").update();
                })
                .subscribe();

        subscriber.dispose();
        slow.tryEmitEmpty();

        assertThat(seen).containsExactly("second");
        assertThat(units.events()).containsExactly("began", "committed");
    }

    @Test
    void cancelledStreamIsDrainedThenRolledBack() {
        driver.answer(READ, 100, i -> FakeRow.of("name", "n" + i));

        engine.unitOfWork().stream(work -> work.sql(READ).map(String.class).all())
                .take(3)
                .blockLast(LONG);

        assertThat(driver.rowsEmitted()).isEqualTo(100);
        assertThat(driver.calls(Call.CREATE, Call.VALIDATE))
                .containsExactly("1 begin", "1 execute " + READ, "1 rollback");
    }

    @Test
    void statementQueuedBehindCancelledOneNeverRuns() {
        FakeGate gate = driver.on(Call.EXECUTE, "first"::equals).waits();
        Disposable subscriber = engine.unitOfWork()
                .execute(work -> Flux.just("first", "second", "third")
                        .flatMap(sql -> work.sql(sql).update())
                        .then())
                .subscribe();

        subscriber.dispose();
        gate.release();

        assertThat(driver.calls(Call.CREATE, Call.VALIDATE))
                .containsExactly("1 begin", "1 execute first", "1 rollback");
    }

    @Test
    void streamQueuedBehindCancelledStatementNeverRuns() {
        FakeGate gate = driver.on(Call.EXECUTE, "first"::equals).waits();
        Disposable subscriber = engine.unitOfWork()
                .execute(work -> Flux.merge(
                                work.sql("first").update(),
                                work.sql(READ).map(String.class).all())
                        .then())
                .subscribe();

        subscriber.dispose();
        gate.release();

        assertThat(driver.calls(Call.CREATE, Call.VALIDATE))
                .containsExactly("1 begin", "1 execute first", "1 rollback");
    }

    @Override
    boolean isAllowedViolation(String call) {
        return false;
    }

    @AfterEach
    void noCallIsCancelled() {
        assertThat(driver.calls()).noneMatch(call -> call.contains("cancel "));
    }
}
