package dev.r2dbcengine.integration.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps the changes of a test, which later tests of its class see. The test gets the {@code Engine} of the class, where
 * a unit of work is a transaction instead of a savepoint. On a class, the annotation applies to all its tests,
 * including those of nested classes. See {@link EngineExtension}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Commit {}
