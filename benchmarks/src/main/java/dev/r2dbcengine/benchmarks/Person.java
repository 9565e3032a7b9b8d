package dev.r2dbcengine.benchmarks;

/** What rows become. */
public record Person(int id, String name, int age) {}
