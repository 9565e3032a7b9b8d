package dev.r2dbcengine.benchmarks;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The results of peers for the same work on the same database, in one unit.
 *
 * @param base the peer that the ratios refer to; empty without one
 * @param rounds the values of each peer, by round; the base first, then the engine
 */
record Comparison(
        String section, String work, String on, String base, String unit, Map<String, Map<Integer, Double>> rounds) {

    /** A median with its interquartile range. */
    record Spread(double low, double median, double high) {
        static Spread of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            return new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
        }

        private static double quantile(List<Double> sorted, double part) {
            double at = part * (sorted.size() - 1);
            double below = sorted.get((int) Math.floor(at));
            double above = sorted.get((int) Math.ceil(at));
            return below + (above - below) * (at - Math.floor(at));
        }
    }

    /** Returns the works in the order of their first results. */
    static List<Comparison> of(List<Figure> figures) {
        Map<List<String>, List<Figure>> same = figures.stream()
                .collect(Collectors.groupingBy(
                        figure -> List.of(figure.section(), figure.work(), figure.on(), figure.unit()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return same.values().stream().map(Comparison::ofOne).toList();
    }

    private static Comparison ofOne(List<Figure> figures) {
        Figure any = figures.get(0);
        Map<String, Map<Integer, Double>> rounds =
                new TreeMap<>(Comparator.<String, Boolean>comparing(peer -> !peer.equals(any.base()))
                        .thenComparing(peer -> !isEngine(peer))
                        .thenComparing(peer -> peer));
        figures.forEach(figure ->
                rounds.computeIfAbsent(figure.peer(), first -> new TreeMap<>()).put(figure.round(), figure.value()));
        return new Comparison(any.section(), any.work(), any.on(), any.base(), any.unit(), rounds);
    }

    static boolean isEngine(String peer) {
        return peer.startsWith(Peer.ENGINE);
    }

    /** Returns whether there is a base for ratios. */
    boolean isRelative() {
        return rounds.containsKey(base);
    }

    Spread values(String peer) {
        return Spread.of(List.copyOf(rounds.get(peer).values()));
    }

    /** Returns the ratios of the rounds that both peers have. */
    Spread ratios(String peer) {
        Map<Integer, Double> bases = rounds.get(base);
        return Spread.of(rounds.get(peer).entrySet().stream()
                .filter(round -> bases.containsKey(round.getKey()))
                .map(round -> round.getValue() / bases.get(round.getKey()))
                .toList());
    }
}
