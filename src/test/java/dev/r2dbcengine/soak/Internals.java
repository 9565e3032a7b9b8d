package dev.r2dbcengine.soak;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Access to internals of libraries. */
final class Internals {
    private Internals() {}

    /** Returns a field of an object, or a static field of a class. */
    static @Nullable Object read(Class<?> type, String name, @Nullable Object of) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This version of " + type + " has no " + name, e);
        }
    }
}
