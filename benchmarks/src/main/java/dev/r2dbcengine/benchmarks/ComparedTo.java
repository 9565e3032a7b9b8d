package dev.r2dbcengine.benchmarks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the benchmark of the same class that this one is a multiple of. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface ComparedTo {
    String value();
}
