package dev.r2dbcengine.migrate.internal.model;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is created on first use. */
final class Lazy<T> {

    private final Supplier<T> source;
    private @Nullable T value;

    Lazy(Supplier<T> source) {
        this.source = source;
    }

    synchronized T get() {
        T made = value == null ? source.get() : value;
        value = made;
        return made;
    }
}
