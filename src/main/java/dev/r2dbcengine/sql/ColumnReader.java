package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.ColumnMetadata;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one column as one type; resolved once for each result. If the column has that type in the driver, the driver
 * returns it, or the type from which the dialect converts. Otherwise the driver's default type is read and converted
 * here, or by the driver if there is no conversion.
 */
final class ColumnReader {

    /* Advice for a JavaBean, a Kotlin data class or a similar type. */
    static final String NO_RECORD =
            "use a record whose components have the names of the columns, or map the row with a function";

    private final int index;
    private final String name;
    private final Class<?> type;
    private final String target;
    private final Class<?> asked;
    private final Dialect dialect;

    private ColumnReader(int index, String name, Class<?> type, String target, Class<?> asked, Dialect dialect) {
        this.index = index;
        this.name = name;
        this.type = type;
        this.target = target;
        this.asked = asked;
        this.dialect = dialect;
    }

    /* The target names the component or value in messages. */
    static ColumnReader of(RowMetadata metadata, int index, Class<?> type, String target, Dialect dialect) {
        ColumnMetadata column = metadata.getColumnMetadata(index);
        Class<?> asked = type == javaType(column) ? dialect.decode(type) : Object.class;
        return new ColumnReader(index, column.getName(), type, target, asked, dialect);
    }

    /* Some drivers throw for unknown types. */
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
        Object value = get(row, asked);
        if (value == null || type.isInstance(value)) {
            return value;
        }
        Object converted = convert(value);
        return converted == null ? driverConverted(row, value) : converted;
    }

    Optional<Object> readOptional(Row row) {
        return Optional.ofNullable(read(row));
    }

    Object readPresent(Row row) {
        Object value = read(row);
        if (value == null) {
            throw new RowMismatch(
                    "Column '" + name + "' is NULL, and " + target + " is of the primitive type "
                            + PrimitiveTypes.primitive(type)
                            + ", which has no null: declare it as " + type.getName()
                            + " or as an Optional, or use coalesce(…) in the statement",
                    null);
        }
        return value;
    }

    /* A driver must not choose the time zone of an instant: most would use the JVM's. */
    private @Nullable Object driverConverted(Row row, Object value) {
        if (Conversions.isMoment(type)) {
            throw new RowMismatch(
                    told(value.getClass()) + ", because it has no time zone: read it as it is, or give it a zone in the"
                            + " statement",
                    null);
        }
        return get(row, type);
    }

    private @Nullable Object convert(Object value) {
        try {
            Object decoded = dialect.decode(value, type);
            return decoded == null ? Conversions.convert(value, type) : decoded;
        } catch (ArithmeticException | IllegalArgumentException e) {
            throw new RowMismatch(told(value.getClass()) + ": the value does not fit", null);
        }
    }

    private @Nullable Object get(Row row, Class<?> as) {
        try {
            return row.get(index, as);
        } catch (RuntimeException e) {
            throw new RowMismatch(told(typeIn(row)), e);
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
                + type.getName() + advice();
    }

    private String advice() {
        if (type.isRecord()) {
            return ", which is a record, and a column is one value: map the row with a function";
        }
        return PrimitiveTypes.isOfTheApplication(type) ? ", which is not a record: " + NO_RECORD : "";
    }
}
