package dev.r2dbcengine.integration.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the test does stays, for the tests of its class that come after it; the {@code Engine} that it gets is that of the
 * class, and a unit of work is a transaction and no savepoint. On a class it is for all its tests, those of nested classes
 * too. See {@link EngineExtension}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Commit {}
