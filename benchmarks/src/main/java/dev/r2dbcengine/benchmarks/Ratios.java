package dev.r2dbcengine.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * The results of several rounds, each as a multiple of what it is compared to. The best iteration counts, of a round and
 * of all: what others do on a shared machine only ever adds to a time.
 */
final class Ratios {
    private static final String BYTES = "gc.alloc.rate.norm";

    /** One benchmark on so many threads with these parameters, or what it is compared to. */
    private record Case(String type, String method, int threads, String parameters) {
        static Case of(BenchmarkParams params) {
            String name = params.getBenchmark();
            int dot = name.lastIndexOf('.');
            List<String> values =
                    params.getParamsKeys().stream().map(params::getParam).toList();
            return new Case(
                    name.substring(0, dot), name.substring(dot + 1), params.getThreads(), String.join(" ", values));
        }

        Case comparedTo() {
            try {
                ComparedTo peer = Stream.of(Class.forName(type).getMethods())
                        .filter(benchmark -> benchmark.getName().equals(method))
                        .findFirst()
                        .orElseThrow()
                        .getAnnotation(ComparedTo.class);
                return peer == null ? this : new Case(type, peer.value(), threads, parameters);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }

        String title() {
            String suite = type.substring(type.lastIndexOf('.') + 1);
            return suite + " | " + method + " | " + threads + " | " + parameters;
        }
    }

    private record Sample(double time, String unit, double bytes) {}

    private final Map<Case, List<Sample>> samples = new TreeMap<>(Comparator.comparing(Case::type)
            .thenComparing(Case::threads)
            .thenComparing(Case::parameters)
            .thenComparing(measured -> measured.comparedTo().method())
            .thenComparing(measured -> !measured.comparedTo().equals(measured))
            .thenComparing(Case::method));

    void add(Collection<RunResult> round) {
        for (RunResult result : round) {
            Result<?> time = result.getPrimaryResult();
            double bytes = result.getSecondaryResults().entrySet().stream()
                    .filter(secondary -> secondary.getKey().endsWith(BYTES))
                    .mapToDouble(secondary -> secondary.getValue().getScore())
                    .findFirst()
                    .orElse(Double.NaN);
            samples.computeIfAbsent(Case.of(result.getParams()), missed -> new ArrayList<>())
                    .add(new Sample(time.getStatistics().getMin(), time.getScoreUnit(), bytes));
        }
    }

    /** A table in Markdown. */
    Stream<String> lines() {
        Stream<String> head = Stream.of(
                "| suite | benchmark | threads | with | ratio (of each round) | best | bytes |",
                "|---|---|---|---|---|---|---|");
        return Stream.concat(head, samples.keySet().stream().map(this::line));
    }

    private String line(Case measured) {
        List<Sample> mine = samples.get(measured);
        List<Sample> peers = samples.getOrDefault(measured.comparedTo(), mine);
        double[] ratios = IntStream.range(0, mine.size())
                .mapToDouble(round -> mine.get(round).time() / peers.get(round).time())
                .sorted()
                .toArray();
        double time = best(mine);
        double bytes = median(mine.stream().mapToDouble(Sample::bytes).sorted().toArray());
        return String.format(
                "| %s | %.2f (%.2f-%.2f) | %.1f %s | %,.0f |",
                measured.title(),
                time / best(peers),
                ratios[0],
                ratios[ratios.length - 1],
                time,
                mine.get(0).unit(),
                bytes);
    }

    private static double best(List<Sample> samples) {
        return samples.stream().mapToDouble(Sample::time).min().orElseThrow();
    }

    private static double median(double[] sorted) {
        return sorted[sorted.length / 2];
    }
}
