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

/** What a unit sets on the session is put back, or the connection closed, whichever call goes wrong and however. */
class RestoredSettingsTest extends FakeUnits {
    private static final String READ = "select @@innodb_lock_wait_timeout";
    private static final String SET = "set session innodb_lock_wait_timeout = 7";
    private static final String PUT_BACK = "set session innodb_lock_wait_timeout = 50";

    private final RuntimeException refusal = new R2dbcBadGrammarException("on purpose", "42000", 1, "sql");

    private enum Where {
        READ(Call.EXECUTE, RestoredSettingsTest.READ),
        SET(Call.EXECUTE, RestoredSettingsTest.SET),
        BEGIN(Call.BEGIN, ""),
        SET_UP(Call.EXECUTE, "set up"),
        STATEMENT(Call.EXECUTE, "a"),
        COMMIT(Call.COMMIT, ""),
        ROLLBACK(Call.ROLLBACK, ""),
        PUT_BACK(Call.EXECUTE, RestoredSettingsTest.PUT_BACK);

        private final Call call;
        private final String detail;

        Where(Call call, String detail) {
            this.call = call;
            this.detail = detail;
        }

        String recorded() {
            return "1 " + call.name().toLowerCase(Locale.ROOT) + (detail.isEmpty() ? "" : " " + detail);
        }
    }

    private enum How {
        CANCELLED,
        FAILS,
        THROWS,
        ANSWERS_AFTER_CANCEL
    }

    static Stream<Arguments> faults() {
        return Stream.of(Where.values())
                .flatMap(where -> Stream.of(How.values()).map(how -> Arguments.of(where, how)));
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
    void theSessionIsAsItWasOrClosed(Where where, How how) {
        FakeBehaviour call = driver.on(where.call, where.detail::equals).times(1);
        FakeGate gate = how == How.CANCELLED ? call.waits() : null;
        switch (how) {
            case CANCELLED -> {}
            case FAILS -> call.fails(refusal);
            case THROWS -> call.throwsAtOnce(refusal);
            case ANSWERS_AFTER_CANCEL -> call.answersAfterCancel();
        }
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

        Disposable subscriber = unit(where == Where.ROLLBACK).subscribe(value -> {}, e -> {});
        if (gate != null) {
            subscriber.dispose();
            gate.release();
        }
        time.advanceTimeBy(Duration.ofMinutes(5));

        List<String> calls = driver.calls();
        // What throws is not recorded.
        assertThat(calls.contains(where.recorded())).isEqualTo(how != How.THROWS);
        boolean isSet = calls.contains("1 execute " + SET);
        boolean isPutBack = calls.lastIndexOf("1 execute " + PUT_BACK) > calls.lastIndexOf("1 execute " + SET)
                && (where != Where.PUT_BACK || how == How.CANCELLED);
        assertThat(!isSet || isPutBack || calls.contains("1 close"))
                .as("as it was, or closed, of %s", calls)
                .isTrue();
    }

    @Override
    Mono<Long> nextUnit() {
        return unit(false);
    }
}
