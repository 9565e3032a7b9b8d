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
final class GuardedResult implements Result, InFlightCalls.Unread {

    private final Result result;
    private final InFlightCalls calls;

    /* The result of the execution; a filtered result is a view of it. */
    private final GuardedResult origin;

    GuardedResult(Result result, InFlightCalls calls) {
        this.result = result;
        this.calls = calls;
        this.origin = this;
        calls.arrived(this);
    }

    private GuardedResult(Result filtered, GuardedResult origin) {
        this.result = filtered;
        this.calls = origin.calls;
        this.origin = origin;
    }

    /* Has no effect on a result that is being read. A failure is reported as that of any call. */
    @Override
    public void discard() {
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
                calls, call -> calls.startReading(origin, call), calls::refusal, values, discarded -> {});
    }
}
