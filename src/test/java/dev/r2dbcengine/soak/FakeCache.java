package dev.r2dbcengine.soak;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.Leaving;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A short-lived cache on a driver that fails and answers late. */
final class FakeCache {
    private static final List<Call> UNRELIABLE =
            List.of(Call.CREATE, Call.BEGIN, Call.EXECUTE, Call.COMMIT, Call.ROLLBACK);

    /** The calls during which the cache is closed. */
    private static final List<Call> CLOSING_CALLS =
            List.of(Call.CREATE, Call.EXECUTE, Call.COMMIT, Call.COMMIT, Call.ROLLBACK);

    /** The latest time of a cancellation, in nanoseconds. */
    private static final int LATEST_CANCEL = 200_000;

    private FakeCache() {}

    /** Runs units, and closes the cache meanwhile or after a cancellation; no connection stays open. */
    static Mono<Void> openUseAndClose(Dice dice) {
        FakeDriver driver = driver(dice);
        ReactiveEngineCache cache = ReactiveEngineCache.builder()
                .connectionFactory(options -> driver)
                .settings(EngineSettings.builder().maxSize(2).build())
                .closeTimeout(Duration.ofSeconds(10))
                .listeners(new Quiet())
                .build();
        Engine engine = cache.engine("r2dbc:fake://host/moment");
        Mono<Void> units = Flux.range(0, 4)
                .flatMap(i -> engine.unitOfWork().execute(Operation.pairBy(i)).onErrorResume(planned -> Mono.empty()))
                .then();
        Mono<Void> closed = cache.close().cache();
        Mono<Void> used = dice.oneIn(2)
                ? Leaving.after(Duration.ofNanos(dice.below(LATEST_CANCEL)), units)
                : units.doFirst(() -> closeDuringCall(driver, dice, closed));
        return used.then(closed).then(Mono.defer(() -> awaitClosedConnections(driver)));
    }

    /** Closes the cache on another thread during a call of the driver. */
    private static void closeDuringCall(FakeDriver driver, Dice dice, Mono<Void> closed) {
        driver.on(dice.oneOf(CLOSING_CALLS))
                .skip(dice.below(3))
                .times(1)
                .answersOn(Schedulers.parallel())
                .runs(() -> closed.subscribeOn(Schedulers.parallel()).subscribe());
    }

    private static FakeDriver driver(Dice dice) {
        FakeDriver driver = new FakeDriver().withoutRecording();
        for (Call call : UNRELIABLE) {
            if (dice.oneIn(2)) {
                driver.on(call).answersOn(Schedulers.parallel());
            }
        }
        if (dice.oneIn(2)) {
            driver.on(dice.oneOf(UNRELIABLE)).skip(dice.below(3)).times(1).fails(new OnPurpose());
        }
        return driver;
    }

    private static Mono<Void> awaitClosedConnections(FakeDriver driver) {
        return Sites.settled(driver::openConnections, 0, "open connections of a cache that was closed");
    }
}
