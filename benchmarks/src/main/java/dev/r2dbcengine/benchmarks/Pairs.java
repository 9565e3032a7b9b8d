package dev.r2dbcengine.benchmarks;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Statements and units of work on PostgreSQL against code by hand, in one process and by turns: whatever disturbs the
 * machine for a while disturbs both of a pair. Prints medians, and the median of the ratios of all pairs.
 *
 * <p>Arguments: {@code pairs=N}, of batches a fifth of it; a third as many go before to warm up; {@code only=REGEX} for
 * some.
 */
public final class Pairs {
    private int pairs = 300;
    private String only = ".*";

    private Pairs() {}

    /** See the class. */
    public static void main(String... args) throws IOException {
        Pairs pairs = new Pairs();
        for (String arg : args) {
            pairs.take(arg);
        }
        System.out.println("| with PostgreSQL | engine | by hand | ratio (middle half) |");
        System.out.println("|---|---|---|---|");
        pairs.units();
        pairs.statements();
    }

    private void take(String arg) {
        if (arg.startsWith("pairs=")) {
            pairs = Integer.parseInt(arg.substring("pairs=".length()));
        } else if (arg.startsWith("only=")) {
            only = arg.substring("only=".length());
        } else {
            throw new IllegalArgumentException(arg + " is none of: pairs=N, only=REGEX");
        }
    }

    private void units() throws IOException {
        UnitState state = new UnitState();
        state.database = "postgresql";
        state.open();
        UnitOfWorkBenchmark units = new UnitOfWorkBenchmark();
        compare("a unit of one insert", pairs, 50, () -> units.one(state), () -> units.oneByHand(state));
        compare("a unit of ten inserts", pairs, 10, () -> units.ten(state), () -> units.tenByHand(state));
        state.close();
    }

    private void statements() throws IOException {
        StatementRowsBenchmark.Thousand state = new StatementRowsBenchmark.Thousand();
        state.database = "postgresql";
        state.open();
        StatementOneBenchmark one = new StatementOneBenchmark();
        StatementRowsBenchmark rows = new StatementRowsBenchmark();
        StatementBatchBenchmark batch = new StatementBatchBenchmark();
        compare("one row", pairs, 100, () -> one.engine(state), () -> one.handWritten(state));
        compare("1,000 rows to records", pairs, 20, () -> rows.engine(state), () -> rows.handWritten(state));
        compare("a batch of 10,000", pairs / 5 + 1, 1, () -> batch.engine(state), () -> batch.handWritten(state));
        state.close();
    }

    private void compare(String what, int pairs, int times, Supplier<?> engine, Supplier<?> byHand) {
        if (!Pattern.compile(only).matcher(what).find()) {
            return;
        }
        measure(pairs / 3 + 1, times, engine, byHand);
        double[][] micros = measure(pairs, times, engine, byHand);
        double[] ratios = new double[pairs];
        Arrays.setAll(ratios, pair -> micros[0][pair] / micros[1][pair]);
        System.out.printf(
                "| %s | %,.0f us | %,.0f us | %.3f (%.3f-%.3f) |%n",
                what,
                quantile(micros[0], 0.5),
                quantile(micros[1], 0.5),
                quantile(ratios, 0.5),
                quantile(ratios, 0.25),
                quantile(ratios, 0.75));
    }

    /** Each of the two goes first as often as the other. */
    private static double[][] measure(int pairs, int times, Supplier<?> engine, Supplier<?> byHand) {
        double[][] micros = new double[2][pairs];
        for (int pair = 0; pair < pairs; pair++) {
            if (pair % 2 == 0) {
                micros[0][pair] = micros(times, engine);
                micros[1][pair] = micros(times, byHand);
            } else {
                micros[1][pair] = micros(times, byHand);
                micros[0][pair] = micros(times, engine);
            }
        }
        return micros;
    }

    private static double micros(int times, Supplier<?> task) {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            task.get();
        }
        return (System.nanoTime() - start) / 1000.0 / times;
    }

    private static double quantile(double[] values, double part) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) (part * (sorted.length - 1))];
    }
}
