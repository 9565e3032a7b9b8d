package dev.r2dbcengine.sql;

import io.r2dbc.spi.Result;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;

/** Adds up how many rows were changed. */
final class CountReader extends ResultReader<Long> {

    private long sum;

    CountReader(CoreSubscriber<? super Long> actual, SqlExecution execution) {
        super(actual, execution);
        readAll();
    }

    @Override
    Publisher<?> read(Result result) {
        return result.getRowsUpdated();
    }

    @Override
    void accept(Object value) {
        long more = ((Number) value).longValue();
        sum += more;
        count(more);
    }

    @Override
    Long last() {
        return sum;
    }
}
