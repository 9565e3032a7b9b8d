package dev.r2dbcengine.benchmarks;

/**
 * What a suite gets.
 *
 * @param section of the report that its figures belong to
 * @param effort that it is to make
 * @param results where they go
 */
record Run(String section, Effort effort, Results results) {

    void add(Peers peers, String peer, String unit, int round, double value) {
        results.add(new Figure(section, peers.work(), peers.on(), peer, peers.base(), unit, round, value));
    }

    /** The same work of peers on a database. */
    record Peers(String work, String on, String base) {}
}
