package dev.r2dbcengine.sql;

import io.r2dbc.spi.Blob;
import io.r2dbc.spi.Clob;
import io.r2dbc.spi.Parameter;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides the rows of a batch into inserts. The rows of an insert have the same types, since PostgreSQL's driver
 * prepares a text once more for other types, and together are smaller than any server's limit of a packet.
 */
final class RowGroups {

    /* MariaDB's and MySQL's limits are 16 MB and 64 MB by default, and 1 MB in their oldest releases. */
    private static final int MOST_BYTES = 1_000_000;

    private static final int BYTES_OF_NUMBER = 40;
    /* A character takes up to 3 bytes in UTF-8, or 2 if it is escaped; a byte takes 2 if it is escaped. */
    private static final long BYTES_OF_CHARACTER = 3;

    private final List<@Nullable Object[]> rows;
    private final int mostRows;
    private final int bytesOfText;

    RowGroups(List<@Nullable Object[]> rows, int mostRows, int bytesOfText) {
        this.rows = rows;
        this.mostRows = mostRows;
        this.bytesOfText = bytesOfText;
    }

    /* Returns the number of rows of each insert, in order. */
    List<Integer> sizes() {
        List<Integer> sizes = new ArrayList<>();
        for (int from = 0; from < rows.size(); ) {
            int size = MultiRowInsert.size(together(from));
            sizes.add(size);
            from += size;
        }
        return sizes;
    }

    /* The number of rows that one insert can have from here, at least one. */
    private int together(int from) {
        int last = Math.min(rows.size(), from + mostRows);
        @Nullable Object[] first = rows.get(from);
        long bytes = bytes(first);
        int to = from + 1;
        while (to < last && isAlike(first, rows.get(to))) {
            bytes += bytes(rows.get(to));
            if (bytes > MOST_BYTES) {
                break;
            }
            to++;
        }
        return to - from;
    }

    private static boolean isAlike(@Nullable Object[] one, @Nullable Object[] other) {
        for (int i = 0; i < one.length; i++) {
            Class<?> type = typeOf(one[i]);
            Class<?> otherType = typeOf(other[i]);
            if (type != otherType && !type.isAssignableFrom(otherType) && !otherType.isAssignableFrom(type)) {
                return false;
            }
        }
        return true;
    }

    private static Class<?> typeOf(@Nullable Object value) {
        if (value instanceof TypedNull none) {
            return none.type().isPrimitive() ? PrimitiveTypes.boxed(none.type()) : none.type();
        }
        return value == null ? Object.class : value.getClass();
    }

    private long bytes(@Nullable Object[] row) {
        long bytes = bytesOfText;
        for (Object value : row) {
            bytes += bytes(value);
        }
        return bytes;
    }

    private static long bytes(@Nullable Object value) {
        if (value instanceof String text) {
            return BYTES_OF_CHARACTER * text.length();
        }
        if (value instanceof Number || value == null) {
            return BYTES_OF_NUMBER;
        }
        return bytesOfOther(value);
    }

    /* A row with content that is read while it is sent is sent alone. */
    private static long bytesOfOther(Object value) {
        if (value instanceof CharSequence text) {
            return BYTES_OF_CHARACTER * text.length();
        }
        if (value instanceof ByteBuffer buffer) {
            return 2L * buffer.remaining();
        }
        if (value instanceof Parameter parameter) {
            return bytes(parameter.getValue());
        }
        if (value instanceof Blob || value instanceof Clob || value instanceof InputStream) {
            return MOST_BYTES;
        }
        return value.getClass().isArray() ? bytesOfArray(value) : BYTES_OF_NUMBER;
    }

    private static long bytesOfArray(Object array) {
        int length = Array.getLength(array);
        if (array instanceof byte[]) {
            return 2L * length;
        }
        if (!(array instanceof Object[] values)) {
            return (long) BYTES_OF_NUMBER * length;
        }
        long bytes = 0;
        for (Object value : values) {
            bytes += bytes(value);
        }
        return bytes;
    }
}
