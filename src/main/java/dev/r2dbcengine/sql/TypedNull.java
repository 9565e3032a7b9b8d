package dev.r2dbcengine.sql;

/** A null whose type is known. */
record TypedNull(Class<?> type) {}
