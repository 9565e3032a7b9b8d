package dev.r2dbcengine.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Proof;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Mixed load, for ten minutes with {@code -Pproof}. After each minute the load pauses, and the figures must equal those
 * after the second minute. {@code -Dseed=…} sets another plan.
 */
class SoakIT {
    private static final int PERIODS = Proof.rounds(3, 10);
    private static final int OPERATIONS = Proof.rounds(40, Integer.MAX_VALUE);
    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final double GROWTH = 1.1;

    /** The number of objects that threads may keep from their last task. */
    private static final int LAST = 2 * Load.LANES;

    private final Figures.Before before = Figures.Before.now();

    @Test
    void nothingGrowsUnderMixedLoad() {
        List<Figures> figures = new ArrayList<>();
        try (Sites sites = Sites.open();
                Load load = new Load(sites, Long.getLong("seed", 20_261_128))) {
            Proof.figure(Figures.head());
            for (int period = 1; period <= PERIODS; period++) {
                load.run(OPERATIONS, PERIOD).block();
                int connections = sites.settle();
                int resolvers = DriverResolvers.removeAll();
                Figures now = before.figures(connections);
                figures.add(now);
                Proof.figure(now.row(period, load.total() + " operations, " + resolvers + " resolvers of the driver"));
                assertThat(sites.halfCommitted())
                        .as("pairs of which one half was committed")
                        .isZero();
                assertThat(sites.misuses()).isEmpty();
                assertThat(sites.retained())
                        .as("closed caches, engines and pools, and completed units")
                        .hasSizeLessThanOrEqualTo(LAST);
            }
            Proof.figure(load.done().toString());
            assertThat(load.done().values())
                    .allSatisfy(count -> assertThat(count).hasPositiveValue());
        }
        assertNothingHasGrown(figures.get(1), figures.get(PERIODS - 1));
    }

    private static void assertNothingHasGrown(Figures early, Figures late) {
        assertThat(late.threads()).as("threads").isEqualTo(early.threads());
        assertThat(late.connections()).as("physical connections").isEqualTo(early.connections());
        assertThat(late.databases()).as("in-memory databases").isEqualTo(early.databases());
        assertThat(late.heap()).as("bytes of heap").isLessThanOrEqualTo((long) (early.heap() * GROWTH));
    }
}
