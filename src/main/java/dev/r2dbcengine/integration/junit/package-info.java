/**
 * Optional: tests of applications on a database of their own, and nothing that a test does stays. {@link
 * dev.r2dbcengine.integration.junit.EngineExtension} is what it offers. Wants JUnit 5.13 or newer.
 */
@NullMarked
package dev.r2dbcengine.integration.junit;

import org.jspecify.annotations.NullMarked;
