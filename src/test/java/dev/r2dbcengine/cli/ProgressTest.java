package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.MigrationPlan;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.migrate.ResolvedMigration;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.scheduler.VirtualTimeScheduler;

class ProgressTest {
    private static final String CLEAR = "\r\u001b[K";

    private final StringWriter err = new StringWriter();

    private MigrationPlan plan;
    private ResolvedMigration one;
    private VirtualTimeScheduler time;

    @SuppressWarnings("NullAway.Init") // before each test
    ProgressTest() {}

    @BeforeEach
    void planTwoMigrationsOnVirtualTime() {
        plan = Objects.requireNonNull(
                MigrationRunner.on(ReactiveEngineCache.create().engine("r2dbc:h2:mem:///progress"))
                        .locations()
                        .sources(() -> List.of(empty("V1__one.sql"), empty("V2__two.sql")))
                        .plan()
                        .block());
        one = resolved(0);
        time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void restoreRealTime() {
        VirtualTimeScheduler.reset();
    }

    private static MigrationFile empty(String name) {
        return MigrationFile.of(name, InputStream::nullInputStream);
    }

    private ResolvedMigration resolved(int index) {
        return Objects.requireNonNull(plan.pending().get(index).resolved());
    }

    private Progress progress(boolean terminal, boolean quiet) {
        Map<String, String> environment = Map.of("COLUMNS", "60", "NO_COLOR", "1");
        return new Progress(
                Called.shell(environment, terminal, StandardCharsets.UTF_8, new StringWriter(), err, null), quiet);
    }

    private String printed() {
        String all = err.toString();
        err.getBuffer().setLength(0);
        return all;
    }

    @Test
    void terminalShowsBarBelowLines() {
        Progress progress = progress(true, false);
        progress.planned(plan);
        progress.started(one);
        time.advanceTimeBy(Duration.ofMillis(100));
        assertThat(printed()).matches("\\r\\x1b\\[K\\[\\.{20}] 1/2  V1__one.sql  \\d+\\.\\d\\d s");

        progress.applied(one, Duration.ofMillis(1234));
        assertThat(printed()).isEqualTo(CLEAR + "applied V1__one.sql in 1.23 s" + System.lineSeparator());
        time.advanceTimeBy(Duration.ofMillis(100));
        assertThat(printed()).isEmpty();

        progress.started(resolved(1));
        time.advanceTimeBy(Duration.ofMillis(200));
        assertThat(printed()).contains(CLEAR + "[##########..........] 2/2  V2__two.sql  ");

        progress.ended();
        assertThat(printed()).isEqualTo(CLEAR);
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(printed()).isEmpty();
        assertThat(progress.end().getCount()).isZero();
    }

    @Test
    void waitForLockIsOneUpdatedLineOnTerminal() {
        Progress progress = progress(true, false);
        progress.lockAwaited("t", Duration.ofSeconds(5), null);
        time.advanceTimeBy(Duration.ofMillis(100));
        progress.lockAwaited("t", Duration.ofSeconds(9), null);
        time.advanceTimeBy(Duration.ofMillis(100));
        assertThat(printed())
                .matches("(\\r\\x1b\\[Kwaiting for the lock of t for 5\\.\\d\\d s: held by another run)+"
                        + "\\r\\x1b\\[Kwaiting for the lock of t for 9\\.\\d\\d s: held by another run");

        progress.planned(plan);
        assertThat(printed()).isEqualTo(CLEAR);
        time.advanceTimeBy(Duration.ofMillis(100));
        assertThat(printed()).isEmpty();

        progress.started(one);
        time.advanceTimeBy(Duration.ofMillis(100));
        assertThat(printed()).contains("1/2  V1__one.sql");
    }

    @Test
    void otherOutputShowsOnlyLines() {
        Progress progress = progress(false, false);
        progress.planned(plan);
        progress.started(one);
        time.advanceTimeBy(Duration.ofSeconds(1));
        progress.failed(one, new IllegalStateException(), Duration.ofMillis(5));
        progress.ended();

        assertThat(printed()).isEqualTo("failed V1__one.sql in 0.01 s" + System.lineSeparator());
    }

    @Test
    void quietProgressPrintsOnlyWarningsAndWaits() {
        Progress progress = progress(true, true);
        progress.planned(plan);
        progress.started(one);
        time.advanceTimeBy(Duration.ofSeconds(1));
        progress.applied(one, Duration.ZERO);
        assertThat(printed()).isEmpty();

        progress.warned("look");
        progress.cleanupFailed("close", new R2dbcTransientResourceException("secret", "08000"));
        progress.lockAwaited("t", Duration.ofSeconds(2), null);
        progress.connectionAwaited(Duration.ofSeconds(3), new R2dbcTransientResourceException("secret", "08000"));
        assertThat(printed().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("warning look"),
                        line -> assertThat(line)
                                .startsWith("warning after the run, the close failed: ")
                                .contains("08000"),
                        line -> assertThat(line).isEqualTo("waiting for the lock of t for 2.00 s: held by another run"),
                        line -> assertThat(line)
                                .startsWith("waiting for the database for 3.00 s: ")
                                .doesNotContain("secret"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 40, [.............] 1/1  text",
        "1, 3, 40, [####.........] 2/3  text",
        "0, 0, 40, [.............] 1  text",
        "5, 10, 20, [###...] 6/10  text",
        "5, 10, 18, [###...] 6/10  t…"
    })
    void barFitsLine(int done, int total, int width, String bar) {
        assertThat(Progress.bar(done, total, width, "text", "…")).isEqualTo(bar).hasSizeLessThan(width);
    }
}
