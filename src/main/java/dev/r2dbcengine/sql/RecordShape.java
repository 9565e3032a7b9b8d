package dev.r2dbcengine.sql;

import static java.lang.invoke.MethodType.methodType;

import io.r2dbc.spi.Row;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The components and the constructor of a record, cached for each class. */
final class RecordShape {

    private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
            return new RecordShape(type);
        }
    };

    private static final MethodHandle ANY = ofColumn("read", Object.class);
    private static final MethodHandle OPTIONAL = ofColumn("readOptional", Optional.class);
    private static final MethodHandle PRIMITIVE = ofColumn("readPresent", Object.class);

    private final MethodHandle constructor;
    private final RecordComponent[] components;
    private final Type[] generic;
    private final Class<?>[] types;
    private final List<String> names;

    private RecordShape(Class<?> type) {
        this.components = type.getRecordComponents();
        Class<?>[] declared =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(declared);
            canonical.setAccessible(true);
            this.constructor = MethodHandles.lookup().unreflectConstructor(canonical);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        for (RecordComponent component : components) {
            component.getAccessor().setAccessible(true);
        }
        this.generic = Arrays.stream(components).map(RecordShape::valueType).toArray(Type[]::new);
        this.types = Arrays.stream(generic)
                .map(PrimitiveTypes::erased)
                .map(PrimitiveTypes::boxed)
                .toArray(Class<?>[]::new);
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

    /* The type of a component; for an Optional, its type argument. */
    Class<?> type(int index) {
        return types[index];
    }

    boolean isOptional(int index) {
        return components[index].getType() == Optional.class;
    }

    /* Whether a value can be checked to be of the component's type, type arguments included. */
    boolean isChecked(int index) {
        return PrimitiveTypes.isChecked(generic[index]);
    }

    String typeName(int index) {
        return components[index].getGenericType().getTypeName();
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

    /* Returns a handle of type (Row)Object that creates a record, each component read from its column. */
    MethodHandle fromRow(ColumnReader[] columns) {
        MethodHandle[] readers = new MethodHandle[columns.length];
        for (int i = 0; i < columns.length; i++) {
            readers[i] = reader(i).bindTo(columns[i]).asType(methodType(components[i].getType(), Row.class));
        }
        MethodHandle ofRows = MethodHandles.filterArguments(constructor, 0, readers);
        return MethodHandles.permuteArguments(
                ofRows.asType(ofRows.type().changeReturnType(Object.class)),
                methodType(Object.class, Row.class),
                new int[columns.length]);
    }

    private MethodHandle reader(int index) {
        if (isOptional(index)) {
            return OPTIONAL;
        }
        return components[index].getType().isPrimitive() ? PRIMITIVE : ANY;
    }

    private static MethodHandle ofColumn(String method, Class<?> returned) {
        try {
            return MethodHandles.lookup().findVirtual(ColumnReader.class, method, methodType(returned, Row.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /* The type of the value; for an Optional, its type argument. */
    private static Type valueType(RecordComponent component) {
        if (component.getType() != Optional.class) {
            return component.getGenericType();
        }
        return component.getGenericType() instanceof ParameterizedType optional
                ? optional.getActualTypeArguments()[0]
                : Object.class;
    }

    /* Exceptions of the record's accessor are passed unchanged; an accessor cannot throw a checked exception. */
    private static RuntimeException unwrapped(InvocationTargetException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException thrown ? thrown : new IllegalStateException(e.getCause());
    }
}
