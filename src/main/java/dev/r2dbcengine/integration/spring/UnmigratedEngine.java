package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;

/** The engine for the migrations, which does not wait for them. */
record UnmigratedEngine(Engine engine) {}
