package dev.r2dbcengine.sql;

import java.lang.invoke.MethodType;

/** Primitive types and what stands for them. */
final class Types {

    private Types() {}

    @SuppressWarnings("unchecked") // Integer.class for int.class is what the Class of a primitive needs
    static <T> Class<T> boxed(Class<T> type) {
        return (Class<T>) MethodType.methodType(type).wrap().returnType();
    }
}
