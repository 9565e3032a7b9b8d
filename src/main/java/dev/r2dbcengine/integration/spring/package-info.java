/**
 * Spring Boot: an engine, units of work and migrations by properties, which join Spring's transactions. Loaded only where
 * Spring Boot is.
 */
@NullMarked
package dev.r2dbcengine.integration.spring;

import org.jspecify.annotations.NullMarked;
