package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.ColumnMetadata;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps a row to a record, each component from the column of its name. One instance for each class. */
final class RecordMapper<T> implements ColumnMapper<T> {

    private static final ClassValue<RecordMapper<?>> MAPPERS = new ClassValue<>() {
        @Override
        protected RecordMapper<?> computeValue(Class<?> type) {
            return new RecordMapper<>(type);
        }
    };

    private final Class<T> type;
    private final RecordShape shape;

    /* The layout of the last result, since the next one usually has the same columns. */
    private volatile @Nullable Layout<T> last;

    private RecordMapper(Class<T> type) {
        this.type = type;
        this.shape = RecordShape.of(type);
    }

    @SuppressWarnings("unchecked") // each class has the mapper that was made for it
    static <T> RowMapper<T> of(Class<T> type) {
        return type.isRecord() ? (RowMapper<T>) MAPPERS.get(type) : new ScalarMapper<>(PrimitiveTypes.boxed(type));
    }

    static List<String> columnNames(RowMetadata metadata) {
        return metadata.getColumnMetadatas().stream()
                .map(column -> column.getName())
                .toList();
    }

    @Override
    public RowMapper<T> forResult(RowMetadata metadata, Dialect dialect) {
        List<? extends ColumnMetadata> found = metadata.getColumnMetadatas();
        Layout<T> known = last;
        if (known == null || !known.fits(found, dialect)) {
            known = new Layout<>(found, dialect, type, shape.fromRow(columns(metadata, dialect)));
            last = known;
        }
        return known;
    }

    private ColumnReader[] columns(RowMetadata metadata, Dialect dialect) {
        List<String> names = columnNames(metadata);
        ColumnReader[] columns = new ColumnReader[shape.names().size()];
        for (int i = 0; i < columns.length; i++) {
            String component = "component '" + shape.names().get(i) + "' of " + type.getName();
            if (!shape.isChecked(i)) {
                throw unchecked(component, shape.typeName(i));
            }
            columns[i] =
                    ColumnReader.of(metadata, indexOf(shape.names().get(i), names), shape.type(i), component, dialect);
        }
        return columns;
    }

    private static RowMismatch unchecked(String component, String type) {
        return new RowMismatch(
                "No column can become " + component + " of type " + type
                        + ", since its type arguments cannot be checked:"
                        + " use an array, or map the row with a function",
                null);
    }

    private int indexOf(String component, List<String> names) {
        int found = -1;
        for (int i = 0; i < names.size(); i++) {
            if (ColumnReader.normalized(component).equals(ColumnReader.normalized(names.get(i)))) {
                if (found >= 0) {
                    throw new RowMismatch(
                            "Columns " + (found + 1) + " and " + (i + 1) + " both fit component '" + component + "' of "
                                    + type.getName() + ": give one of them another name",
                            null);
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new RowMismatch(
                    "No column fits component '" + component + "' of " + type.getName() + ": there are " + names, null);
        }
        return found;
    }

    /** The columns of a result, and the mapping of its rows to records. */
    private static final class Layout<T> implements RowMapper<T> {

        private final String[] names;
        private final @Nullable Class<?>[] javaTypes;
        private final Dialect dialect;
        private final Class<T> type;
        private final MethodHandle fromRow;

        Layout(List<? extends ColumnMetadata> found, Dialect dialect, Class<T> type, MethodHandle fromRow) {
            this.names = found.stream().map(ColumnMetadata::getName).toArray(String[]::new);
            this.javaTypes = found.stream().map(ColumnReader::javaType).toArray(Class<?>[]::new);
            this.dialect = dialect;
            this.type = type;
            this.fromRow = fromRow;
        }

        @Override
        public T map(Row row, RowMetadata metadata) {
            try {
                return type.cast((Object) fromRow.invokeExact(row));
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e); // a record's constructor throws no checked exception
            }
        }

        boolean fits(List<? extends ColumnMetadata> others, Dialect other) {
            if (dialect != other || others.size() != names.length) {
                return false;
            }
            for (int i = 0; i < names.length; i++) {
                ColumnMetadata column = others.get(i);
                if (!names[i].equals(column.getName()) || javaTypes[i] != ColumnReader.javaType(column)) {
                    return false;
                }
            }
            return true;
        }
    }
}
