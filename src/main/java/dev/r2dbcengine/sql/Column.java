package dev.r2dbcengine.sql;

import io.r2dbc.spi.ColumnMetadata;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one column becomes one value of a type: found out once a result. When driver and database already speak of that
 * type, the driver is asked for it; else it is asked for what it has, which is converted; what cannot be converted here is
 * left to the driver.
 */
final class Column {

    private final int index;
    private final String name;
    private final Class<?> type;
    private final String target;
    private final boolean direct;

    private Column(int index, String name, Class<?> type, String target, boolean direct) {
        this.index = index;
        this.name = name;
        this.type = type;
        this.target = target;
        this.direct = direct;
    }

    /* The target is how messages name what the value is for. */
    static Column of(RowMetadata metadata, int index, Class<?> type, String target) {
        ColumnMetadata column = metadata.getColumnMetadata(index);
        return new Column(index, column.getName(), type, target, type == javaType(column));
    }

    /* Some drivers fail for types that they do not know. */
    static @Nullable Class<?> javaType(ColumnMetadata column) {
        try {
            return column.getJavaType();
        } catch (RuntimeException e) {
            return null;
        }
    }

    static String normalized(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    @Nullable Object read(Row row) {
        if (direct) {
            return get(row, type);
        }
        Object value = get(row, Object.class);
        if (value == null || type.isInstance(value)) {
            return value;
        }
        Object converted = convert(value);
        return converted == null ? get(row, type) : converted;
    }

    Optional<Object> readOptional(Row row) {
        return Optional.ofNullable(read(row));
    }

    Object readPresent(Row row) {
        Object value = read(row);
        if (value == null) {
            throw new Mismatch(
                    "Column '" + name + "' is NULL, which " + target + " of type " + type.getName() + " cannot be:"
                            + " use a type that may be null, or Optional",
                    null);
        }
        return value;
    }

    private @Nullable Object convert(Object value) {
        try {
            return Conversions.convert(value, type);
        } catch (ArithmeticException | IllegalArgumentException e) {
            throw new Mismatch(told(value.getClass()) + ": the value does not fit", null);
        }
    }

    private @Nullable Object get(Row row, Class<?> as) {
        try {
            return row.get(index, as);
        } catch (RuntimeException e) {
            throw new Mismatch(told(typeIn(row)), e);
        }
    }

    private Class<?> typeIn(Row row) {
        try {
            Object value = row.get(index);
            return value == null ? Object.class : value.getClass();
        } catch (RuntimeException e) {
            return Object.class;
        }
    }

    private String told(Class<?> from) {
        return "Column '" + name + "' of type " + from.getName() + " cannot become " + target + " of type "
                + type.getName();
    }
}
