package dev.r2dbcengine.sql;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;

/** Primitive types and what stands for them. */
final class Types {

    private Types() {}

    @SuppressWarnings("unchecked") // Integer.class for int.class is what the Class of a primitive needs
    static <T> Class<T> boxed(Class<T> type) {
        return (Class<T>) MethodType.methodType(type).wrap().returnType();
    }

    /* Bytes are one value, and no array. */
    static boolean isPrimitiveArray(Object value) {
        return isPrimitiveArray(value.getClass());
    }

    static Class<?> boxedArray(Class<?> type) {
        return isPrimitiveArray(type) ? boxed(type.getComponentType()).arrayType() : type;
    }

    static Object boxedArray(Object primitives) {
        int length = Array.getLength(primitives);
        Object boxed = Array.newInstance(boxed(primitives.getClass().getComponentType()), length);
        for (int i = 0; i < length; i++) {
            Array.set(boxed, i, Array.get(primitives, i));
        }
        return boxed;
    }

    private static boolean isPrimitiveArray(Class<?> type) {
        return type.isArray() && type.getComponentType().isPrimitive() && type != byte[].class;
    }
}
