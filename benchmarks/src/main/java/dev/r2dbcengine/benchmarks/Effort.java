package dev.r2dbcengine.benchmarks;

import java.time.Duration;

/** The effort of a run. */
enum Effort {
    /** Under 30 minutes on two idle cores. */
    FULL(3, 1, 4, 600, 150, Duration.ofSeconds(5), 4, 500, 50),
    /** Under two minutes: everything runs, and the results have no meaning. */
    SMOKE(1, 0, 1, 0, 20, Duration.ZERO, 1, 20, 1);

    /** The options of a JMH benchmark, in its own process if there are forks. */
    final int rounds;

    final int forks;

    /** Warm-up iterations, as many as are measured; the compiler needs two seconds here. */
    final int iterations;

    final int warmupMillis;
    final int iterationMillis;

    /** The time for one work of alternating peers, after a third of it to warm up, and the minimum number of rounds. */
    final Duration turns;

    final int leastTurns;

    final int scripts;
    final int scriptMegabytes;

    Effort(
            int rounds,
            int forks,
            int iterations,
            int warmupMillis,
            int iterationMillis,
            Duration turns,
            int leastTurns,
            int scripts,
            int scriptMegabytes) {
        this.rounds = rounds;
        this.forks = forks;
        this.iterations = iterations;
        this.warmupMillis = warmupMillis;
        this.iterationMillis = iterationMillis;
        this.turns = turns;
        this.leastTurns = leastTurns;
        this.scripts = scripts;
        this.scriptMegabytes = scriptMegabytes;
    }

    boolean isWarm() {
        return !turns.isZero();
    }
}
