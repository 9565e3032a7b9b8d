package dev.r2dbcengine.sql;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Helpers for primitive, boxed and generic types. */
final class PrimitiveTypes {

    private PrimitiveTypes() {}

    @SuppressWarnings("unchecked") // Integer.class for int.class is what the Class of a primitive needs
    static <T> Class<T> boxed(Class<T> type) {
        return (Class<T>) MethodType.methodType(type).wrap().returnType();
    }

    static Class<?> primitive(Class<?> boxed) {
        return MethodType.methodType(boxed).unwrap().returnType();
    }

    /* Whether a class is unlikely to be the value of one column: neither of the JDK nor of a driver, and no enum. */
    static boolean isOfTheApplication(Class<?> type) {
        return !type.isEnum()
                && !type.isArray()
                && !type.getName().matches("(java|javax|io\\.r2dbc|io\\.asyncer|org\\.mariadb|org\\.h2)\\..*");
    }

    /* A record is mapped by its raw class, so a type variable is erased to its bound. */
    static Class<?> erased(Type type) {
        if (type instanceof Class<?> known) {
            return known;
        }
        if (type instanceof ParameterizedType parameterized) {
            return erased(parameterized.getRawType());
        }
        if (type instanceof GenericArrayType array) {
            return erased(array.getGenericComponentType()).arrayType();
        }
        return erased(
                type instanceof WildcardType wildcard
                        ? wildcard.getUpperBounds()[0]
                        : ((TypeVariable<?>) type).getBounds()[0]);
    }

    /* Whether a type can be checked by the class of an object: List<?> can, List<String> cannot. */
    static boolean isChecked(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return Arrays.stream(parameterized.getActualTypeArguments()).allMatch(PrimitiveTypes::isAnything);
        }
        if (type instanceof GenericArrayType array) {
            return isChecked(array.getGenericComponentType());
        }
        return !(type instanceof WildcardType wildcard) || isChecked(wildcard.getUpperBounds()[0]);
    }

    private static boolean isAnything(Type argument) {
        return argument instanceof WildcardType wildcard
                && wildcard.getUpperBounds()[0] == Object.class
                && wildcard.getLowerBounds().length == 0;
    }

    /* A byte[] is a single value. */
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

    static boolean isEnumArray(Class<?> type) {
        return type.isArray() && type.getComponentType().isEnum();
    }

    static @Nullable String[] names(Object constants) {
        @Nullable String[] names = new @Nullable String[Array.getLength(constants)];
        for (int i = 0; i < names.length; i++) {
            names[i] = Array.get(constants, i) instanceof Enum<?> constant ? constant.name() : null;
        }
        return names;
    }

    private static boolean isPrimitiveArray(Class<?> type) {
        return type.isArray() && type.getComponentType().isPrimitive() && type != byte[].class;
    }
}
