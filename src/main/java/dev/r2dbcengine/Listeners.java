package dev.r2dbcengine;

import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.WorkListener;

/** Whom a cache tells, one of each kind. */
record Listeners(EngineListener engine, SqlListener sql, WorkListener work) {}
