package dev.r2dbcengine.benchmarks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The library and the work of a benchmark method. Methods of one class with the same work are compared. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Peer {
    /** The name of the engine. */
    String ENGINE = "engine";

    /** The name of hand-written code. */
    String BY_HAND = "by hand";

    /** All databases except the pooled driver that answers at once: a pool costs all peers the same. */
    String UNPOOLED_OR_REAL = "(?!pool).*";

    /** The work; {@code {name}} is replaced by a parameter of the benchmark. */
    String of();

    /** The name of the peer. */
    String by() default ENGINE;

    /** Whether the ratios refer to this peer. */
    boolean base() default false;

    /** A regular expression of the databases on which the result is meaningful. */
    String on() default ".*";
}
