package dev.r2dbcengine.sql;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;

/**
 * Reads rows. The mapper is called inside the driver, which a thrown exception would make cancel its own statement: so a
 * failure is kept, and told when everything was read.
 */
final class RowReader<T> extends ResultReader<T> implements BiFunction<Row, RowMetadata, Object> {

    /** Which rows are wanted. */
    enum Mode {
        ONE,
        FIRST,
        ALL
    }

    private static final Object NULL = new Object();
    private static final Object SKIPPED = new Object();

    private final RowMapper<? extends T> mapper;
    private final Mode mode;
    private @Nullable RowMapper<? extends T> specialized;
    private @Nullable Throwable thrown;
    private @Nullable Object first;

    RowReader(CoreSubscriber<? super T> actual, SqlExecution execution, RowMapper<? extends T> mapper, Mode mode) {
        super(actual, execution);
        this.mapper = mapper;
        this.mode = mode;
        if (mode != Mode.ALL) {
            readAll();
        }
    }

    @Override
    Publisher<?> read(Result result) {
        specialized = null;
        return result.map(this);
    }

    @Override
    public Object apply(Row row, RowMetadata metadata) {
        if (isDropping() || thrown != null || (mode == Mode.FIRST && first != null)) {
            return SKIPPED;
        }
        try {
            T value = mapper(metadata).map(row, metadata);
            return value == null ? NULL : value;
        } catch (Throwable e) {
            Exceptions.throwIfJvmFatal(e);
            thrown = e;
            return SKIPPED;
        }
    }

    private RowMapper<? extends T> mapper(RowMetadata metadata) {
        RowMapper<? extends T> known = specialized;
        if (known == null) {
            known = mapper.forResult(metadata);
            specialized = known;
        }
        return known;
    }

    @Override
    void accept(Object value) {
        Throwable e = thrown;
        if (e != null) {
            failAtEnd(e instanceof Mismatch mismatch ? mismatch.in(execution().sql()) : e);
        } else if (value != SKIPPED) {
            count(1);
            row(value);
        }
    }

    private void row(Object value) {
        if (mode == Mode.ALL) {
            stream(value);
        } else if (first == null) {
            first = value;
        } else {
            failAtEnd(new TooManyRowsException(execution().sql()));
        }
    }

    @SuppressWarnings("unchecked") // what the mapper made
    private void stream(Object value) {
        if (value == NULL) {
            failAtEnd(new RowMappingException(
                    "A row is NULL, which a stream cannot carry: leave such rows out in the statement, use coalesce, or"
                            + " map to a record with an Optional",
                    execution().sql(),
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
