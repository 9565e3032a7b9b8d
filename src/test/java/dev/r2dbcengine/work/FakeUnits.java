package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Tests of units on a fake driver with a pool of one connection. After each test the next unit must work. */
abstract class FakeUnits {
    static final Duration LONG = Duration.ofSeconds(30);

    final FakeDriver driver;
    final RecordedUnits units = new RecordedUnits();
    final ReactiveEngineCache engines;
    final Engine engine;
    final RuntimeException fault = new R2dbcNonTransientResourceException("on purpose", "XX000");

    FakeUnits() {
        this(new FakeDriver());
    }

    FakeUnits(FakeDriver driver) {
        this.driver = driver;
        engines = ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .listener(units)
                .build();
        engine = engines.engine("r2dbc:fake://host/db?maxSize=1");
    }

    @BeforeEach
    final void open() {
        engine.dialect().block(LONG);
        driver.clear();
    }

    /** Returns the virtual time within which a unit must end: longer than all its timeouts together. */
    Duration deadline() {
        return Duration.ofMinutes(5);
    }

    final void failsByDeadline(Mono<Long> unit, Consumer<Throwable> error) {
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
        StepVerifier.create(unit)
                .expectSubscription()
                .then(() -> time.advanceTimeBy(deadline()))
                .expectErrorSatisfies(error)
                .verify(LONG);
    }

    Mono<Long> nextUnit() {
        return engine.unitOfWork().execute(work -> work.sql("next").update());
    }

    /* A discarded connection is closed under the pool, which then validates it and closes it again. */
    boolean isAllowedViolation(String call) {
        return call.contains("close");
    }

    @AfterEach
    final void nextUnitWorksAndNothingLeaks() {
        VirtualTimeScheduler.reset();
        driver.behaveOrdinarily();
        assertThat(engines.engines().get(0).connections().borrowed()).isZero();
        assertThat(nextUnit().block(LONG)).isOne();
        assertThat(units.count("committed") + units.count("rolled back") + units.count("in doubt"))
                .isEqualTo(units.count("began"));
        engines.close().block(LONG);
        assertThat(driver.violations()).allMatch(this::isAllowedViolation);
    }
}
