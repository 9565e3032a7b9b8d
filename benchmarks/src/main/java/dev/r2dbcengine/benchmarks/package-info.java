/** Benchmarks, each with the peers that it is measured against; {@link dev.r2dbcengine.benchmarks.Measure} runs them. */
package dev.r2dbcengine.benchmarks;
