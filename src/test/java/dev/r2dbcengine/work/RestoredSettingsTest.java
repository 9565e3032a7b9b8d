package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeBehaviour;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeGate;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.R2dbcBadGrammarException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A unit restores the session settings that it changed, or closes the connection, whichever call fails. */
class RestoredSettingsTest extends FakeUnits {
    private static final String READ = "select @@innodb_lock_wait_timeout";
    private static final String SET = "set session innodb_lock_wait_timeout = 7";
    private static final String RESTORE = "set session innodb_lock_wait_timeout = 50";

    private final RuntimeException refusal = new R2dbcBadGrammarException("on purpose", "42000", 1, "sql");

    private enum Point {
        READ(Call.EXECUTE, RestoredSettingsTest.READ),
        SET(Call.EXECUTE, RestoredSettingsTest.SET),
        BEGIN(Call.BEGIN, ""),
        SET_UP(Call.EXECUTE, "set up"),
        STATEMENT(Call.EXECUTE, "a"),
        COMMIT(Call.COMMIT, ""),
        ROLLBACK(Call.ROLLBACK, ""),
        RESTORE(Call.EXECUTE, RestoredSettingsTest.RESTORE);

        private final Call call;
        private final String detail;

        Point(Call call, String detail) {
            this.call = call;
            this.detail = detail;
        }

        String recorded() {
            return "1 " + call.name().toLowerCase(Locale.ROOT) + (detail.isEmpty() ? "" : " " + detail);
        }
    }

    private enum Fault {
        CANCELLED,
        FAILS,
        THROWS,
        ANSWERS_AFTER_CANCEL
    }

    static Stream<Arguments> faults() {
        return Stream.of(Point.values())
                .flatMap(point -> Stream.of(Fault.values()).map(fault -> Arguments.of(point, fault)));
    }

    RestoredSettingsTest() {
        super(new FakeDriver("MariaDB"));
    }

    @BeforeEach
    void rows() {
        driver.answer(READ, FakeRow.of("v", 50L));
    }

    private Mono<Long> unit(boolean fails) {
        return engine.unitOfWork()
                .lockWaitTimeout(Duration.ofSeconds(7))
                .timeout(Duration.ofMinutes(1))
                .onBegin(work -> work.sql("set up").update())
                .execute(work -> work.sql("a")
                        .update()
                        .flatMap(
                                rows -> fails ? Mono.error(new IllegalStateException("on purpose")) : Mono.just(rows)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void sessionSettingsAreRestoredOrConnectionClosed(Point point, Fault fault) {
        FakeBehaviour call = driver.on(point.call, point.detail::equals).times(1);
        FakeGate gate = fault == Fault.CANCELLED ? call.waits() : null;
        switch (fault) {
            case CANCELLED -> {}
            case FAILS -> call.fails(refusal);
            case THROWS -> call.throwsAtOnce(refusal);
            case ANSWERS_AFTER_CANCEL -> call.answersAfterCancel();
        }
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

        Disposable subscriber = unit(point == Point.ROLLBACK).subscribe(value -> {}, e -> {});
        if (gate != null) {
            subscriber.dispose();
            gate.release();
        }
        time.advanceTimeBy(Duration.ofMinutes(5));

        List<String> calls = driver.calls();
        // A call that throws is not recorded.
        assertThat(calls.contains(point.recorded())).isEqualTo(fault != Fault.THROWS);
        boolean isSet = calls.contains("1 execute " + SET);
        boolean isRestored = calls.lastIndexOf("1 execute " + RESTORE) > calls.lastIndexOf("1 execute " + SET)
                && (point != Point.RESTORE || fault == Fault.CANCELLED);
        assertThat(!isSet || isRestored || calls.contains("1 close"))
                .as("restored or closed, in %s", calls)
                .isTrue();
    }

    @Override
    Mono<Long> nextUnit() {
        return unit(false);
    }
}
