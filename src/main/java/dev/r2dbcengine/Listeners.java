package dev.r2dbcengine;

import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.BoundConnections;
import dev.r2dbcengine.work.WorkListener;

/** The listeners of a cache, and the source of transactions that a framework has begun. */
record Listeners(EngineListener engine, SqlListener sql, WorkListener work, BoundConnections bound) {}
