package dev.r2dbcengine.benchmarks;

import java.time.Duration;

/** How much a run takes upon itself. */
enum Effort {
    /** Under 30 minutes on two idle cores. */
    FULL(3, 1, 4, 600, 150, Duration.ofSeconds(5), 4, 500, 50),
    /** Under two minutes; everything runs, and no figure means anything. */
    SMOKE(1, 0, 1, 0, 20, Duration.ZERO, 1, 20, 1);

    /** Of a benchmark of nanoseconds, in a process of its own if there are forks. */
    final int rounds;

    final int forks;

    /** As many to warm up, which takes the compiler two seconds here, as are measured. */
    final int iterations;

    final int warmupMillis;
    final int iterationMillis;

    /** How long peers take turns at one work, after a third of that to warm up, and how often each of them at least. */
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
