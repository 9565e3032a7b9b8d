package dev.r2dbcengine.work;

import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** A result of a statement on a {@link GuardedConnection}. */
final class GuardedResult implements Result {

    private final Result result;
    private final RawStatements running;

    GuardedResult(Result result, RawStatements running) {
        this.result = result;
        this.running = running;
        running.unread(this);
    }

    void discard() {
        getRowsUpdated().subscribe();
    }

    @Override
    public Flux<Long> getRowsUpdated() {
        return read(result.getRowsUpdated());
    }

    @Override
    public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mapper) {
        return read(result.map(mapper));
    }

    @Override
    public <T> Publisher<T> map(Function<? super Readable, ? extends T> mapper) {
        return read(result.map(mapper));
    }

    @Override
    public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mapper) {
        return read(result.flatMap(mapper));
    }

    @Override
    public Result filter(Predicate<Segment> filter) {
        running.read(this);
        return new GuardedResult(result.filter(filter), running);
    }

    private <T> Flux<T> read(Publisher<T> values) {
        return Flux.defer(() -> {
            running.read(this);
            return new RawCall<T>(running, values, dropped -> {});
        });
    }
}
