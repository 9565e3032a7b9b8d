package dev.r2dbcengine.benchmarks;

import java.util.List;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks in rounds, each benchmark once a round and in a process of its own, so that whatever disturbs the
 * machine for a while disturbs peers alike; then prints the table of ratios.
 *
 * <p>Arguments: {@code smoke} for one short round of everything; {@code only=REGEX} for some; {@code rounds=N}.
 */
public final class Measure {
    private static final List<Integer> THREADS = List.of(1, 2);

    private final Ratios ratios = new Ratios();
    private String only = ".*";
    private int rounds = 5;
    private boolean smoke;

    private Measure() {}

    /** See the class. */
    public static void main(String... args) throws RunnerException {
        Measure measure = new Measure();
        for (String arg : args) {
            measure.take(arg);
        }
        measure.run();
    }

    private void take(String arg) {
        if (arg.equals("smoke")) {
            smoke = true;
            rounds = 1;
        } else if (arg.startsWith("only=")) {
            only = arg.substring("only=".length());
        } else if (arg.startsWith("rounds=")) {
            rounds = Integer.parseInt(arg.substring("rounds=".length()));
        } else {
            throw new IllegalArgumentException(arg + " is none of: smoke, only=REGEX, rounds=N");
        }
    }

    private void run() throws RunnerException {
        for (int round = 0; round < rounds; round++) {
            for (int threads : smoke ? List.of(1) : THREADS) {
                measure(fast(threads));
            }
            measure(slow());
        }
        ratios.lines().forEach(System.out::println);
    }

    private void measure(ChainedOptionsBuilder kind) throws RunnerException {
        try {
            ratios.add(new Runner(kind.build()).run());
        } catch (NoBenchmarksException e) {
            System.out.println("None of this kind is called " + only);
        }
    }

    /** What takes nanoseconds, many times. */
    private ChainedOptionsBuilder fast(int threads) {
        TimeValue time = TimeValue.milliseconds(smoke ? 50 : 300);
        return options(only)
                .exclude("OpenBenchmark")
                .threads(threads)
                .warmupIterations(smoke ? 1 : 3)
                .warmupTime(time)
                .measurementIterations(smoke ? 1 : 6)
                .measurementTime(time);
    }

    /** What takes a second, once an iteration. */
    private ChainedOptionsBuilder slow() {
        return options(only)
                .exclude("^(?!.*OpenBenchmark)")
                .mode(Mode.SingleShotTime)
                .param("engines", smoke ? "50" : "1000")
                .warmupIterations(smoke ? 0 : 2)
                .measurementIterations(smoke ? 1 : 3);
    }

    private ChainedOptionsBuilder options(String include) {
        return new OptionsBuilder()
                .include(include)
                .forks(1)
                .jvmArgs("-Xmx2g")
                .shouldFailOnError(true)
                .addProfiler(GCProfiler.class);
    }
}
