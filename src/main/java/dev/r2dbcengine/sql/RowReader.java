package dev.r2dbcengine.sql;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;

/**
 * Reads and maps rows. The mapper is called inside the driver, which would cancel its statement if the mapper threw. So
 * a failure is stored, and emitted once all rows are read.
 */
final class RowReader<T> extends ResultReader<T> implements BiFunction<Row, RowMetadata, Object> {

    /** The rows to return. */
    enum Mode {
        ONE,
        FIRST,
        ALL
    }

    /** The mapper, and the rows to return. */
    record Wanted<T>(RowMapper<? extends T> mapper, Mode mode) implements Factory<T> {
        @Override
        public ResultReader<T> of(CoreSubscriber<? super T> actual, Execution<T> execution) {
            return new RowReader<>(actual, execution, this);
        }
    }

    private static final Object NULL = new Object();
    private static final Object SKIPPED = new Object();

    private final Wanted<T> wanted;
    private final @Nullable DemandForwarder demand;
    private @Nullable RowMapper<? extends T> specialized;

    private @Nullable Object first;

    private RowReader(CoreSubscriber<? super T> actual, Execution<T> execution, Wanted<T> wanted) {
        super(actual, execution);
        this.wanted = wanted;
        this.demand = wanted.mode == Mode.ALL ? new DemandForwarder() : null;
    }

    @Override
    @Nullable DemandForwarder demand() {
        return demand;
    }

    @Override
    Publisher<?> read(Result result) {
        specialized = null;
        return result.map(this);
    }

    @Override
    public Object apply(Row row, RowMetadata metadata) {
        if (isDropping() || hasFailed() || (wanted.mode == Mode.FIRST && first != null)) {
            return SKIPPED;
        }
        try {
            T value = mapper(metadata).map(row, metadata);
            return value == null ? NULL : value;
        } catch (Throwable e) {
            failed(e instanceof RowMismatch mismatch ? mismatch.in(sql()) : UserCode.emittable(e));
            return SKIPPED;
        }
    }

    private RowMapper<? extends T> mapper(RowMetadata metadata) {
        RowMapper<? extends T> known = specialized;
        if (known == null) {
            known = ColumnMapper.forResult(wanted.mapper, metadata, dialect());
            specialized = known;
        }
        return known;
    }

    @Override
    void accept(Object value) {
        if (value != SKIPPED) {
            count(1);
            row(value);
        }
        if (hasFailed()) {
            cancel();
        }
    }

    private void row(Object value) {
        if (wanted.mode == Mode.ALL) {
            stream(value);
        } else if (first == null) {
            first = value;
        } else {
            failed(new TooManyRowsException(sql()));
        }
    }

    @SuppressWarnings("unchecked") // what the mapper made
    private void stream(Object value) {
        if (value == NULL) {
            failed(new RowMappingException(
                    "A row is NULL, which a stream cannot carry: leave such rows out in the statement, use coalesce, or"
                            + " map to a record with an Optional",
                    sql(),
                    null));
        } else {
            pass((T) value);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // what the mapper made
    @Nullable T last() {
        return first == NULL ? null : (T) first;
    }
}
