/**
 * Optional: JUnit integration for tests with a database. {@link dev.r2dbcengine.integration.junit.EngineExtension}
 * creates a database for each test class and rolls back each test. Requires JUnit 5.13 or newer.
 */
@NullMarked
package dev.r2dbcengine.integration.junit;

import org.jspecify.annotations.NullMarked;
