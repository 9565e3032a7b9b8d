package dev.r2dbcengine.sql;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Conversions from a driver's type to the requested type. Integers never lose digits; fractions are rounded to the
 * target's precision.
 */
final class Conversions {

    private Conversions() {}

    /**
     * Converts a value.
     *
     * @throws ArithmeticException when a number is out of range
     * @throws IllegalArgumentException when a text cannot be parsed
     * @return the converted value; null if there is no conversion between the types
     */
    static @Nullable Object convert(Object value, Class<?> type) {
        if (value instanceof Number number && Number.class.isAssignableFrom(type)) {
            return number(number, type);
        }
        if (value instanceof Number number && type == Boolean.class) {
            return bool(number);
        }
        if (value instanceof CharSequence text) {
            return text(text.toString(), type);
        }
        if (type == String.class) {
            return string(value);
        }
        if (type.isArray()) {
            return array(value, type.getComponentType());
        }
        return time(value, type);
    }

    static boolean isMoment(Class<?> type) {
        return type == Instant.class || type == OffsetDateTime.class || type == ZonedDateTime.class;
    }

    private static @Nullable Object number(Number number, Class<?> type) {
        if (type == Double.class || type == Float.class) {
            return floating(number, type);
        }
        BigDecimal exact = new BigDecimal(number.toString());
        if (type == Integer.class) {
            return exact.intValueExact();
        }
        if (type == Long.class) {
            return exact.longValueExact();
        }
        if (type == Short.class) {
            return exact.shortValueExact();
        }
        if (type == Byte.class) {
            return exact.byteValueExact();
        }
        if (type == BigDecimal.class) {
            return exact;
        }
        return type == BigInteger.class ? exact.toBigIntegerExact() : null;
    }

    private static Object floating(Number number, Class<?> type) {
        String text = number.toString();
        return type == Double.class ? (Object) Double.valueOf(text) : Float.valueOf(text);
    }

    private static Boolean bool(Number number) {
        double value = number.doubleValue();
        if (value != 0 && value != 1) {
            throw new IllegalArgumentException();
        }
        return value == 1;
    }

    private static @Nullable Object text(String text, Class<?> type) {
        if (type == String.class) {
            return text;
        }
        if (type.isEnum()) {
            return constant(text, type);
        }
        if (type == UUID.class) {
            return UUID.fromString(text);
        }
        if (type == Character.class && text.length() == 1) {
            return text.charAt(0);
        }
        return null;
    }

    private static Object constant(String text, Class<?> type) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException();
    }

    private static @Nullable Object string(Object value) {
        return value instanceof UUID ? value.toString() : null;
    }

    private static @Nullable Object array(Object value, Class<?> element) {
        if (value instanceof ByteBuffer buffer && element == byte.class) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
        return value.getClass().isArray() && value.getClass() != byte[].class ? elements(value, element) : null;
    }

    private static @Nullable Object elements(Object from, Class<?> element) {
        int length = Array.getLength(from);
        Object to = Array.newInstance(element, length);
        for (int i = 0; i < length; i++) {
            Object one = Array.get(from, i);
            Object converted = one == null || PrimitiveTypes.boxed(element).isInstance(one)
                    ? one
                    : convert(one, PrimitiveTypes.boxed(element));
            if (converted == null && (one != null || element.isPrimitive())) {
                return null;
            }
            Array.set(to, i, converted);
        }
        return to;
    }

    private static @Nullable Object time(Object value, Class<?> type) {
        if (value instanceof ZonedDateTime zoned) {
            return type == OffsetDateTime.class ? zoned.toOffsetDateTime() : instant(zoned.toInstant(), type);
        }
        if (value instanceof OffsetDateTime offset) {
            return type == ZonedDateTime.class ? offset.toZonedDateTime() : instant(offset.toInstant(), type);
        }
        return value instanceof Instant moment && type == OffsetDateTime.class ? moment.atOffset(ZoneOffset.UTC) : null;
    }

    private static @Nullable Object instant(Instant moment, Class<?> type) {
        return type == Instant.class ? moment : null;
    }
}
