package dev.r2dbcengine.benchmarks;

import java.util.List;

/**
 * The environment of a suite.
 *
 * @param section of the report
 * @param effort of the run
 * @param results the result file
 * @param failed the works that have failed; the others continue
 */
record Run(String section, Effort effort, Results results, List<String> failed) {

    void add(Peers peers, String peer, String unit, int round, double value) {
        results.add(new Figure(section, peers.work(), peers.on(), peer, peers.base(), unit, round, value));
    }

    /** Measures the same work of several peers on a database. */
    record Peers(String work, String on, String base) {}
}
