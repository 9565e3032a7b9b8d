package dev.r2dbcengine.sql;

import io.r2dbc.spi.Result;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;

/** Sums up the changed rows. */
final class CountReader extends ResultReader<Long> {

    static final Factory<Long> FACTORY = CountReader::new;

    CountReader(CoreSubscriber<? super Long> actual, Execution<Long> execution) {
        super(actual, execution);
    }

    @Override
    Publisher<?> read(Result result) {
        return result.getRowsUpdated();
    }

    @Override
    void accept(Object value) {
        count(((Number) value).longValue());
    }

    @Override
    Long last() {
        return counted();
    }
}
