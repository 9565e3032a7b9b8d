package dev.r2dbcengine.internal.blocking;

import dev.r2dbcengine.sql.SpiArguments;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;

/** A result of a {@link WorkerConnection}; its rows are read on the worker, or on a requesting thread that may block. */
final class WorkerResult implements Result {
    private final Result driver;
    private final Worker worker;

    WorkerResult(Result driver, Worker worker) {
        this.driver = driver;
        this.worker = worker;
    }

    @Override
    public Publisher<Long> getRowsUpdated() {
        return worker.flux(driver::getRowsUpdated);
    }

    @Override
    public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mapper) {
        SpiArguments.required(mapper, "mapper");
        return worker.flux(() -> driver.map(mapper));
    }

    @Override
    public <T> Publisher<T> map(Function<? super Readable, ? extends T> mapper) {
        SpiArguments.required(mapper, "mapper");
        return worker.flux(() -> driver.map(mapper));
    }

    @Override
    public Result filter(Predicate<Segment> filter) {
        return new WorkerResult(driver.filter(filter), worker);
    }

    @Override
    public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mapper) {
        SpiArguments.required(mapper, "mapper");
        return worker.flux(() -> driver.flatMap(mapper));
    }
}
