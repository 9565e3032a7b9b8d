/**
 * The library beside what one would otherwise write or take. {@link dev.r2dbcengine.benchmarks.Measure} runs {@link
 * dev.r2dbcengine.benchmarks.Suite suites}, by {@link dev.r2dbcengine.benchmarks.Forks JMH} or by {@link
 * dev.r2dbcengine.benchmarks.Turns turns}, into {@link dev.r2dbcengine.benchmarks.Results one file}, of which {@link
 * dev.r2dbcengine.benchmarks.Report} makes tables and {@link dev.r2dbcengine.benchmarks.Chart charts}.
 */
package dev.r2dbcengine.benchmarks;
