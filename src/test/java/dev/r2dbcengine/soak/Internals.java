package dev.r2dbcengine.soak;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** What libraries tell nobody. */
final class Internals {
    private Internals() {}

    /** A field of an object; of a class, where there is none. */
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
