package dev.r2dbcengine.benchmarks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Who does which work in a benchmark; those of one class with the same work are measured against each other. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Peer {
    /** The name of the engine among its peers. */
    String ENGINE = "engine";

    /** The name of what one would write without a library. */
    String BY_HAND = "by hand";

    /** All but the driver that answers at once in a pool: what a pool costs is the same for all who have one. */
    String UNPOOLED_OR_REAL = "(?!pool).*";

    /** The work, where {@code {name}} stands for a parameter of the benchmark. */
    String of();

    /** Who does it. */
    String by() default ENGINE;

    /** Whether the others are told as multiples of this one. */
    boolean base() default false;

    /** The databases, as a regular expression, that this can work on, or says anything on. */
    String on() default ".*";
}
