/**
 * Test support: {@link dev.r2dbcengine.testing.TestDatabase} for a fresh database on a real server, {@link
 * dev.r2dbcengine.testing.FakeDriver} for behaviour that is rare on a server, and {@link
 * dev.r2dbcengine.testing.CapturedLogs} for log lines.
 */
@NullMarked
package dev.r2dbcengine.testing;

import org.jspecify.annotations.NullMarked;
