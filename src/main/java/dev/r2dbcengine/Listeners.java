package dev.r2dbcengine;

import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.BoundConnections;
import dev.r2dbcengine.work.WorkListener;

/** Whom a cache tells, one of each kind, and whom it asks for transactions that are none of its units. */
record Listeners(EngineListener engine, SqlListener sql, WorkListener work, BoundConnections bound) {}
