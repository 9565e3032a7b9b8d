package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;

/** The engine for those beans that come before the migrations. */
record UnmigratedEngine(Engine engine) {}
