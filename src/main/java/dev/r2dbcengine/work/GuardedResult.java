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
    private final InFlightCalls running;

    /* What was executed; a filtered result is another view of it. */
    private final GuardedResult origin;

    GuardedResult(Result result, InFlightCalls running) {
        this.result = result;
        this.running = running;
        this.origin = this;
        running.unread(this);
    }

    private GuardedResult(Result filtered, GuardedResult origin) {
        this.result = filtered;
        this.running = origin.running;
        this.origin = origin;
    }

    /* Unless somebody reads it already. Its failure is told as that of each call. */
    void discard() {
        getRowsUpdated().subscribe(count -> {}, e -> {});
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
        return new GuardedResult(result.filter(filter), origin);
    }

    private <T> Flux<T> read(Publisher<T> values) {
        return new UncancellableCall<>(
                running, call -> running.startReading(origin, call), running::refusal, values, dropped -> {});
    }
}
