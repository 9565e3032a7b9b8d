package dev.r2dbcengine.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs peers alternately on the same work, each first equally often, so a disturbance of the machine affects a whole
 * round. For operations that are long compared with the resolution of the clock.
 */
final class Turns {
    private static final int MOST_KEPT = 100;

    private final Run run;
    private final String on;
    private final boolean warmed;

    /**
     * @param on the database
     * @param warmed whether to warm up first; whole processes start cold each time
     */
    Turns(Run run, String on, boolean warmed) {
        this.run = run;
        this.on = on;
        this.warmed = warmed;
    }

    /** One measurement. */
    @FunctionalInterface
    interface Turn {
        /** Returns a value for each unit. */
        Map<String, Double> take() throws Exception;
    }

    /** A task that may throw anything. */
    @FunctionalInterface
    interface Task {
        void run() throws Exception;
    }

    /** Measures the duration of a task. */
    static Map<String, Double> nanos(int times, Task task) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            task.run();
        }
        return Map.of("ns", (double) (System.nanoTime() - start) / times);
    }

    /**
     * @param base the peer that the ratios refer to
     * @param peers the peers to measure
     */
    void measure(String work, String base, Map<String, Turn> peers) {
        System.out.println(run.section() + ": " + work + " on " + on);
        try {
            List<String> order = new ArrayList<>(peers.keySet());
            if (warmed && run.effort().isWarm()) {
                rounds(order, peers, run.effort().turns.dividedBy(3), 1);
            }
            keep(new Run.Peers(work, on, base), rounds(order, peers, run.effort().turns, run.effort().leastTurns));
        } catch (Exception e) {
            e.printStackTrace();
            run.failed().add(work + " on " + on);
        }
    }

    /**
     * Selects evenly spread rounds if there are very many: more would lengthen the file and not improve the medians.
     */
    private void keep(Run.Peers these, List<Map<String, Map<String, Double>>> rounds) {
        int kept = Math.min(MOST_KEPT, rounds.size());
        for (int i = 0; i < kept; i++) {
            int round = i;
            rounds.get(i * rounds.size() / kept)
                    .forEach((peer, taken) -> taken.forEach((unit, value) -> run.add(these, peer, unit, round, value)));
        }
    }

    private static List<Map<String, Map<String, Double>>> rounds(
            List<String> order, Map<String, Turn> peers, Duration time, int least) throws Exception {
        List<Map<String, Map<String, Double>>> rounds = new ArrayList<>();
        long end = System.nanoTime() + time.toNanos();
        while (rounds.size() < least || System.nanoTime() < end) {
            rounds.add(round(order, peers));
        }
        return rounds;
    }

    private static Map<String, Map<String, Double>> round(List<String> order, Map<String, Turn> peers)
            throws Exception {
        Map<String, Map<String, Double>> values = new LinkedHashMap<>();
        for (String peer : order) {
            values.put(peer, peers.get(peer).take());
        }
        Collections.rotate(order, 1);
        return values;
    }
}
