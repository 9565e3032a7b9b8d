package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.MovableClock;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Pool settings take effect: the lifetime of connections, and their validation before an acquisition.
 */
class PoolSettingsTest {
    private static final Duration LONG = Duration.ofDays(300);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final MovableClock clock = new MovableClock();
    private final FakeDriver driver = new FakeDriver();

    @AfterEach
    void resetClock() {
        VirtualTimeScheduler.reset();
    }

    private ConnectionPool pool(UnaryOperator<EngineSettings.Builder> settings) {
        AtomicReference<@Nullable ConnectionPool> pool = new AtomicReference<>();
        ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .settings(settings.apply(EngineSettings.builder().clock(clock)).build())
                .build()
                .pool("r2dbc:fake://host/shop")
                .subscribe(pool::set);
        time.advanceTime();
        return Objects.requireNonNull(pool.get());
    }

    /** Advances both clocks: that of the scheduler and that of the pool. */
    private void advance(Duration duration) {
        clock.advance(duration);
        time.advanceTimeBy(duration);
    }

    private static void acquireAndRelease(ConnectionPool pool) {
        StepVerifier.create(pool.create().flatMap(connection -> Mono.from(connection.close())))
                .verifyComplete();
    }

    @Test
    void connectionPastMaxLifeTimeIsReplaced() {
        ConnectionPool pool = pool(builder -> builder.maxIdleTime(Duration.ZERO)
                .backgroundEvictionInterval(Duration.ZERO)
                .maxLifeTime(MINUTE));
        advance(MINUTE.minusMillis(1));
        acquireAndRelease(pool);
        assertThat(driver.calls(Call.VALIDATE)).containsExactly("1 create");

        advance(Duration.ofMillis(1));
        acquireAndRelease(pool);

        assertThat(driver.calls(Call.VALIDATE)).containsExactlyInAnyOrder("1 create", "1 close", "2 create");
    }

    @Test
    void connectionWithoutMaxLifeTimeIsKept() {
        ConnectionPool pool = pool(builder -> builder.maxIdleTime(Duration.ZERO));
        advance(LONG);
        acquireAndRelease(pool);

        assertThat(driver.calls(Call.VALIDATE)).containsExactly("1 create");
    }

    @Test
    void validationQueryRunsBeforeEachAcquisition() {
        ConnectionPool pool = pool(builder -> builder.validationQuery("select 1"));
        driver.clear();
        acquireAndRelease(pool);
        acquireAndRelease(pool);

        assertThat(driver.calls(Call.VALIDATE)).containsExactly("1 execute select 1", "1 execute select 1");
    }

    @Test
    void connectionThatFailsRemoteValidationIsReplaced() {
        ConnectionPool pool =
                pool(builder -> builder.validationDepth(ValidationDepth.REMOTE).acquireRetry(1));
        driver.clear();
        driver.on(Call.VALIDATE, "remote"::equals).times(1).fails(new IllegalStateException("gone"));
        acquireAndRelease(pool);

        assertThat(driver.calls()).contains("1 validate remote", "1 close", "2 create", "2 validate remote");
    }

    @Test
    void unansweredValidationTimesOut() {
        ConnectionPool pool = pool(
                builder -> builder.validationDepth(ValidationDepth.REMOTE).maxValidationTime(Duration.ofSeconds(3)));
        driver.on(Call.VALIDATE, "remote"::equals).neverAnswers();
        AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
        pool.create().subscribe(connection -> {}, end::set);

        advance(Duration.ofMillis(2_999));
        assertThat(end.get()).isNull();
        advance(Duration.ofMillis(1));
        assertThat(end.get()).isInstanceOf(R2dbcTimeoutException.class);
    }

    @Test
    void idleConnectionIsEvictedInBackground() {
        pool(builder -> builder.maxIdleTime(MINUTE).backgroundEvictionInterval(Duration.ofMinutes(10)));
        advance(Duration.ofMinutes(9));
        assertThat(driver.openConnections()).isOne();

        advance(MINUTE);
        assertThat(driver.openConnections()).isZero();
    }

    @Test
    void idleConnectionWithoutIntervalIsEvictedAtNextAcquisition() {
        ConnectionPool pool = pool(builder -> builder.maxIdleTime(MINUTE).backgroundEvictionInterval(Duration.ZERO));
        advance(LONG);
        assertThat(driver.openConnections()).isOne();

        acquireAndRelease(pool);
        assertThat(driver.calls(Call.VALIDATE)).containsExactlyInAnyOrder("1 create", "1 close", "2 create");
    }

    @Test
    void onlyMinIdleConnectionsOutlastIdleTime() {
        ConnectionPool pool = pool(builder -> builder.minIdle(1).maxIdleTime(MINUTE));
        List<Connection> lent = new ArrayList<>();
        pool.create().mergeWith(pool.create()).subscribe(lent::add);
        time.advanceTime();
        StepVerifier.create(Flux.fromIterable(lent).concatMap(Connection::close))
                .verifyComplete();
        assertThat(driver.openConnections()).isEqualTo(2);

        advance(LONG);
        assertThat(driver.openConnections()).isOne();

        acquireAndRelease(pool);
        assertThat(driver.createdConnections()).isEqualTo(2);
    }
}
