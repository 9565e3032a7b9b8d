package dev.r2dbcengine.soak;

import dev.r2dbcengine.testing.Proof;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Many caches that are closed during acquisitions, since failures there are rare. */
class NewCachesTest {
    private static final int ROUNDS = Proof.rounds(2_000, 500_000);
    private static final Duration LIMIT = Duration.ofMinutes(Proof.rounds(3, 55));
    private static final int LANES = 8;
    private static final long SEED = Long.getLong("seed", 20_261_128);

    @Test
    void closedCachesLeaveNoConnectionOpen() {
        StepVerifier.create(Flux.range(0, LANES)
                        .flatMap(lane -> Flux.range(0, ROUNDS / LANES)
                                .concatMap(round -> FakeCache.openUseAndClose(new Dice(SEED, lane, round))
                                        .subscribeOn(Schedulers.parallel()))))
                .expectComplete()
                .verify(LIMIT);
    }
}
