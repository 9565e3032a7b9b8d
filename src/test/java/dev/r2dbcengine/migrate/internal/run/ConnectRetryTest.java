package dev.r2dbcengine.migrate.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationException;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** The times are virtual. */
class ConnectRetryTest {
    private final R2dbcNonTransientResourceException refused =
            new R2dbcNonTransientResourceException("refused", "08001");
    private static final FakeRow NO_HISTORY = FakeRow.of(
            "engine_schema",
            "public",
            "engine_user",
            "ada",
            "engine_database",
            "shop",
            "engine_version",
            "17",
            "engine_restore",
            null,
            "engine_settings",
            null,
            "engine_home",
            null,
            "installed_rank",
            null);

    private final FakeDriver driver = new FakeDriver("PostgreSQL");
    private final List<String> told = new CopyOnWriteArrayList<>();

    private MigrationRunner runner(Duration limit) {
        driver.answer(sql -> sql.contains("flyway_schema_history"), NO_HISTORY);
        Engine engine = ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .build()
                .engine("r2dbc:postgresql://ada:s3cret@host/shop");
        return MigrationRunner.on(engine).locations().connectTimeout(limit).listener(new MigrationListener() {
            @Override
            public void connectionAwaited(Duration waited, Throwable failure) {
                told.add(waited.toMillis() + " ms " + failure.getClass().getSimpleName());
            }
        });
    }

    private <T> StepVerifier.FirstStep<T> verify(Supplier<Mono<T>> run) {
        return StepVerifier.withVirtualTime(run);
    }

    @Test
    void snapshotIsRetriedUntilTheDatabaseAnswers() {
        driver.on(Call.CREATE).times(3).fails(refused);

        verify(() -> runner(Duration.ofMinutes(1)).migrate())
                .expectSubscription()
                .thenAwait(Duration.ofMillis(600))
                .then(() -> assertThat(told).hasSize(3))
                .thenAwait(Duration.ofMillis(100))
                .assertNext(report -> assertThat(report.applied()).isEmpty())
                .verifyComplete();

        assertThat(told)
                .containsExactly(
                        "0 ms EngineOpenException", "100 ms EngineOpenException", "300 ms EngineOpenException");
    }

    @Test
    void connectionLostDuringSnapshotIsRetried() {
        driver.on(Call.EXECUTE).times(4).fails(refused);

        verify(() -> runner(Duration.ofMinutes(1)).info())
                .thenAwait(Duration.ofMinutes(1))
                .expectNext(List.of())
                .verifyComplete();
        assertThat(told).hasSize(2).allMatch(event -> event.endsWith(" ms R2dbcNonTransientResourceException"));
    }

    @Test
    void pausesGrowAndTheLastAttemptIsAtTheTimeout() {
        driver.on(Call.CREATE).fails(refused);

        verify(() -> runner(Duration.ofSeconds(8)).migrate())
                .thenAwait(Duration.ofMillis(7999))
                .then(() -> assertThat(told)
                        .extracting(event -> event.substring(0, event.indexOf(' ')))
                        .containsExactly("0", "100", "300", "700", "1500", "3100", "5100", "7100"))
                .thenAwait(Duration.ofMillis(1))
                .verifyErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContainingAll("for PT8S, in 9 attempts", "raise connectTimeout")
                        .hasCauseInstanceOf(EngineOpenException.class)
                        .hasRootCause(refused));
    }

    @Test
    void zeroDisablesRetries() {
        driver.on(Call.CREATE).fails(refused);

        verify(() -> runner(Duration.ZERO).validate())
                .verifyErrorSatisfies(e ->
                        assertThat(e).isInstanceOf(EngineOpenException.class).hasRootCause(refused));
        assertThat(told).isEmpty();
    }

    @Test
    void permanentErrorIsNotRetried() {
        R2dbcPermissionDeniedException wrongPassword = new R2dbcPermissionDeniedException("wrong password", "28P01");
        driver.on(Call.CREATE).fails(wrongPassword);

        verify(() -> runner(Duration.ofMinutes(1)).plan())
                .verifyErrorSatisfies(e ->
                        assertThat(e).isInstanceOf(EngineOpenException.class).hasRootCause(wrongPassword));
        assertThat(told).isEmpty();
    }

    @Test
    void silentHostIsRetriedAfterTheConnectTimeout() {
        driver.on(Call.CREATE).times(1).neverAnswers();
        driver.on(Call.CREATE).times(1).skip(1).fails(new R2dbcTimeoutException("late"));

        verify(() -> runner(Duration.ofMinutes(1)).migrate())
                .thenAwait(Duration.ofMinutes(1))
                .expectNextCount(1)
                .verifyComplete();
        assertThat(told).hasSize(2);
    }

    @Test
    void cancelEndsTheRetries() {
        driver.on(Call.CREATE).fails(refused);

        verify(() -> runner(Duration.ofMinutes(1)).migrate())
                .thenAwait(Duration.ofMillis(150))
                .thenCancel()
                .verify();

        assertThat(told).hasSizeLessThanOrEqualTo(3);
        assertThat(driver.violations()).isEmpty();
    }

    @Test
    void negativeTimeoutIsRefused() {
        assertThatThrownBy(() -> runner(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("connectTimeout is PT-1S: must not be negative");
    }
}
