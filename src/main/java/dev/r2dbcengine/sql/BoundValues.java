package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bound values: an immutable linked list with the last value first, resolved against the parameters of a statement.
 *
 * @param name the name of the parameter; null if the value is a record or a map of many
 */
record BoundValues(
        @Nullable String name, Object value, @Nullable BoundValues earlier) {

    static final String ROWS = "compare rows by a parameter for each value, (a, b) in ((:a1, :b1), (:a2, :b2))";

    static BoundValues withAll(@Nullable BoundValues earlier, Object source) {
        if (!(source instanceof Map<?, ?>) && !(source instanceof Record)) {
            throw new IllegalArgumentException("bindAll takes a record or a Map, and not "
                    + source.getClass().getName());
        }
        return new BoundValues(null, source, earlier);
    }

    /*
     * Normalizes a value: copies a list to an ArrayList, unwraps an Optional, gives a null its type. The checks of each
     * value of a batch then ask for classes, since asking for an interface is slow.
     */
    static Object value(String name, @Nullable Object value, @Nullable Class<?> type, String sql) {
        if (value instanceof String || value instanceof Number) {
            return value;
        }
        if (value instanceof Optional<?> optional) {
            return value(name, optional.orElse(null), type, sql);
        }
        if (value == null) {
            return new TypedNull(typeOf(name, type, sql));
        }
        return value instanceof Collection<?> list ? new ArrayList<Object>(list) : value;
    }

    private static Class<?> typeOf(String name, @Nullable Class<?> type, String sql) {
        if (type == null) {
            throw new ParameterException(
                    "Parameter '" + name + "' is null and has no type: use bind(name, value, type)",
                    List.of(name),
                    sql);
        }
        return type;
    }

    static Object forDriver(Dialect dialect, Object value) {
        if (value instanceof Enum<?> constant) {
            return dialect.encode(constant.name());
        }
        if (value instanceof Character character) {
            return dialect.encode(character.toString());
        }
        return dialect.encode(value.getClass().isArray() ? array(value) : value);
    }

    private static Object array(Object value) {
        if (PrimitiveTypes.isEnumArray(value.getClass())) {
            return PrimitiveTypes.names(value);
        }
        return PrimitiveTypes.isPrimitiveArray(value) ? PrimitiveTypes.boxedArray(value) : value;
    }

    static Class<?> typeForDriver(Dialect dialect, Class<?> type) {
        if (PrimitiveTypes.isEnumArray(type)) {
            return dialect.encode(String[].class);
        }
        Class<?> boxed = PrimitiveTypes.boxedArray(PrimitiveTypes.boxed(type));
        return dialect.encode(boxed.isEnum() || boxed == Character.class ? String.class : boxed);
    }

    /* Returns one value for each parameter. */
    static @Nullable Object[] resolve(@Nullable BoundValues bound, ParsedSql parsed) {
        @Nullable Object[] values = template(bound, parsed);
        complete(values, parsed);
        return values;
    }

    /* Like resolve, but parameters may lack a value. */
    static @Nullable Object[] template(@Nullable BoundValues bound, ParsedSql parsed) {
        @Nullable Object[] values = new @Nullable Object[parsed.names().size()];
        for (BoundValues one = bound; one != null; one = one.earlier) {
            if (one.name != null) {
                put(values, parsed, one.name, one.value);
            }
        }
        for (BoundValues one = bound; one != null; one = one.earlier) {
            if (one.name == null) {
                putAll(values, parsed, one.value);
            }
        }
        return values;
    }

    static void put(@Nullable Object[] values, ParsedSql parsed, String name, Object value) {
        int number = parsed.numberOf(name);
        if (number < 0) {
            throw new ParameterException(
                    "The statement has no parameter '" + name + "': it has " + parsed.names(),
                    List.of(name),
                    parsed.sql());
        }
        if (values[number] != null) {
            throw new ParameterException(
                    "Parameter '" + name + "' was bound twice: bind it once, by bind(…) or by bindAll(…)",
                    List.of(name),
                    parsed.sql());
        }
        values[number] = value;
    }

    static void putAll(@Nullable Object[] values, ParsedSql parsed, Object source) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                values[i] = part(source, parsed.names().get(i), parsed.sql());
            }
        }
    }

    private static @Nullable Object part(Object source, String name, String sql) {
        if (source instanceof Map<?, ?> map) {
            return map.containsKey(name) ? value(name, map.get(name), null, sql) : null;
        }
        RecordShape shape = RecordShape.of(source.getClass());
        int index = shape.indexOf(name);
        return index < 0 ? null : value(name, shape.read(source, index), shape.type(index), sql);
    }

    static void complete(@Nullable Object[] values, ParsedSql parsed) {
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value == null) {
                throw missing(values, parsed);
            }
            if (value instanceof ArrayList<?> list) {
                check(list, parsed.names().get(i), parsed.sql());
            }
        }
    }

    private static ParameterException missing(@Nullable Object[] values, ParsedSql parsed) {
        List<String> missing = new ArrayList<>(parsed.names());
        missing.removeIf(name -> values[parsed.numberOf(name)] != null);
        return new ParameterException(
                "Parameters were not bound: " + missing + ". Bind them with bind(name, value) or bindAll(…)",
                missing,
                parsed.sql());
    }

    private static void check(List<?> list, String name, String sql) {
        if (list.isEmpty()) {
            throw new ParameterException(
                    "List parameter '" + name + "' is empty, and SQL has no empty list: do not run the statement then,"
                            + " or use another",
                    List.of(name),
                    sql);
        }
        if (isRow(list.get(0))) {
            throw new ParameterException(
                    "List parameter '" + name + "' holds rows, and each of its elements must be one value: " + ROWS,
                    List.of(name),
                    sql);
        }
        if (list.contains(null)) {
            throw new ParameterException(
                    "List parameter '" + name + "' holds a null, which equals nothing: leave it out, and ask for it"
                            + " with IS NULL",
                    List.of(name),
                    sql);
        }
    }

    /* An array of a specific type is one value in some databases. */
    private static boolean isRow(@Nullable Object element) {
        return element instanceof Collection<?> || (element != null && element.getClass() == Object[].class);
    }

    /** Omits the values, which may be confidential. */
    @Override
    public String toString() {
        return Arrays.asList(name == null ? "…" : name, earlier).toString();
    }
}
