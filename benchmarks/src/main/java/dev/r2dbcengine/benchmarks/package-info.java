/**
 * The library compared with hand-written code and other libraries. {@link dev.r2dbcengine.benchmarks.Measure} runs
 * {@link dev.r2dbcengine.benchmarks.Suite suites}, with {@link dev.r2dbcengine.benchmarks.Forks JMH} or {@link
 * dev.r2dbcengine.benchmarks.Turns alternately}, into {@link dev.r2dbcengine.benchmarks.Results one file}, from which
 * {@link dev.r2dbcengine.benchmarks.Report} creates tables and {@link dev.r2dbcengine.benchmarks.Chart charts}.
 */
package dev.r2dbcengine.benchmarks;
