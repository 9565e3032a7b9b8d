package dev.r2dbcengine.sql;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A record's components and constructor, found out once a class. */
final class RecordShape {

    private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
            return new RecordShape(type);
        }
    };

    private final Constructor<?> constructor;
    private final RecordComponent[] components;
    private final Class<?>[] types;
    private final List<String> names;

    private RecordShape(Class<?> type) {
        this.components = type.getRecordComponents();
        Class<?>[] declared =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            this.constructor = type.getDeclaredConstructor(declared);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
        this.constructor.setAccessible(true);
        for (RecordComponent component : components) {
            component.getAccessor().setAccessible(true);
        }
        this.types = Arrays.stream(components).map(RecordShape::valueType).toArray(Class<?>[]::new);
        this.names = Arrays.stream(components).map(RecordComponent::getName).toList();
    }

    static RecordShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    List<String> names() {
        return names;
    }

    int indexOf(String name) {
        return names.indexOf(name);
    }

    /* What a component holds: for an Optional, what may be in it. */
    Class<?> type(int index) {
        return types[index];
    }

    boolean isOptional(int index) {
        return components[index].getType() == Optional.class;
    }

    boolean isPrimitive(int index) {
        return components[index].getType().isPrimitive();
    }

    @Nullable Object read(Object source, int index) {
        try {
            return components[index].getAccessor().invoke(source);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        } catch (InvocationTargetException e) {
            throw unwrapped(e);
        }
    }

    Object create(@Nullable Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (InstantiationException | IllegalAccessException e) {
            throw new IllegalStateException(e);
        } catch (InvocationTargetException e) {
            throw unwrapped(e);
        }
    }

    private static Class<?> valueType(RecordComponent component) {
        if (component.getType() != Optional.class) {
            return Types.boxed(component.getType());
        }
        Type inside = component.getGenericType() instanceof ParameterizedType optional
                ? optional.getActualTypeArguments()[0]
                : Object.class;
        return inside instanceof Class<?> known ? known : Object.class;
    }

    /* What a record's own code throws reaches the user as it is; a record cannot throw a checked exception. */
    private static RuntimeException unwrapped(InvocationTargetException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException thrown ? thrown : new IllegalStateException(e.getCause());
    }
}
