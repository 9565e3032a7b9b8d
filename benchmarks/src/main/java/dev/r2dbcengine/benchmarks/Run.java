package dev.r2dbcengine.benchmarks;

import java.util.List;

/**
 * What a suite gets.
 *
 * @param section of the report that its figures belong to
 * @param effort that it is to make
 * @param results where they go
 * @param failed the works that have failed; the others go on
 */
record Run(String section, Effort effort, Results results, List<String> failed) {

    void add(Peers peers, String peer, String unit, int round, double value) {
        results.add(new Figure(section, peers.work(), peers.on(), peer, peers.base(), unit, round, value));
    }

    /** The same work of peers on a database. */
    record Peers(String work, String on, String base) {}
}
