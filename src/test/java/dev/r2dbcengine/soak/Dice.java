package dev.r2dbcengine.soak;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The random choices of one operation, which are the same for the same seed, lane and number. */
final class Dice {
    /** Mixes the bits of consecutive numbers. */
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private static final int LONGEST_MICROS = 4_000;

    private final int lane;
    private final String name;
    private final Random random;

    Dice(long seed, int lane, long number) {
        this.lane = lane;
        this.name = "number " + number + " of lane " + lane + ", seed " + seed;
        this.random = new Random((seed + lane) * GOLDEN_RATIO + number * Long.rotateLeft(GOLDEN_RATIO, 17));
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    int below(int n) {
        return random.nextInt(n);
    }

    Duration moment() {
        return Duration.ofNanos(1_000L * random.nextInt(LONGEST_MICROS));
    }

    /** Returns a row that no other lane writes. */
    int pair() {
        return lane * 2;
    }

    /** Returns another such row. */
    int otherPair() {
        return lane * 2 + 1;
    }

    @Override
    public String toString() {
        return name;
    }
}
